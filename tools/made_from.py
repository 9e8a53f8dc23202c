"""made_from.py - what generated files were made from, so that a check need not make them again.

The record beside the files has a digest of all sources that they depend on and one of the files themselves. If both still
hold, the files are what the recorded tools made of these very sources. Comments of sources do not count.
"""
import hashlib
import pathlib
import re

RECORD = "made_from.txt"
root = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
# A comment that quotes something stays, so that no string is taken for one.
COMMENT = re.compile(r'\s*//[^"\n]*$', re.M)


def with_included(sources, folder):
    """Returns these sources and all files of src that they include, directly or not, but those in a folder."""
    found, waiting = set(), list(sources)
    while waiting:
        path = waiting.pop()
        if path in found or folder in path.parents:
            continue
        found.add(path)
        for name in INCLUDE.findall(path.read_text()):
            candidates = [path.parent / name, root / "src" / name]
            waiting.append(next(candidate for candidate in candidates if candidate.exists() or folder in candidate.parents))
    return found


def digest(paths):
    made = hashlib.sha256()
    for path in sorted(paths):
        text = path.read_text() if path.suffix in ("", ".py", ".txt", ".inc") else COMMENT.sub("", path.read_text())
        made.update(f"{path.relative_to(root)} {len(text)}\n{text}".encode())
    return made.hexdigest()


def current(folder, sources, scripts):
    """Returns what the record has to say if the files of a folder are made of these sources by these scripts."""
    read = with_included(sources, folder) | {root / "tools" / script for script in (*scripts, "made_from.py")}
    files = [path for path in folder.iterdir() if path.name != RECORD]
    return f"sources {digest(read)}\nfiles {digest(files)}\n"


def is_recorded(folder, sources, scripts):
    record = folder / RECORD
    return record.exists() and record.read_text() == current(folder, sources, scripts)


def write_record(folder, sources, scripts):
    (folder / RECORD).write_text(current(folder, sources, scripts))
