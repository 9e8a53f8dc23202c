# includes.py - says what a source includes of other origin, as far as the text of the project's files tells it, and
# chooses headers to compile in advance. To parse them takes half of the time of a source, and seconds with CLI11 or
# nlohmann/json.
import collections
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = [ROOT / name for name in ("src", "include", "tools/clothc", "examples/viewer")]
# Headers whose meaning depends on no macro of ours, each with about the time that it takes to parse: those of the C++
# standard library by default, and those of other libraries that are named.
KNOWN = r"[a-z_]+$"
COST = collections.defaultdict(lambda: 1, {"CLI/CLI.hpp": 25, "nlohmann/json.hpp": 20, "glm/glm.hpp": 3,
                                           "condition_variable": 3, "functional": 3, "mutex": 3, "cstddef": 0,
                                           "cstdint": 0, "cstdio": 0, "cstring": 0, "new": 0})
# Names that further headers declare too, but not with every compiler and standard library; each with the headers that always
# declare it.
DECLARED_BY = {r"(?<!std::)\bsize_t\b": ("cstddef", "cstdio", "cstdlib", "cstring", "ctime", "cwchar", "stddef.h", "string.h"),
               r"\bu?int(?:8|16|32|64|ptr)_t\b": ("cstdint", "cinttypes", "stdint.h")}
lines = {}


def included_by(path):
    """Returns each file that this one includes, and whether it does so whatever macros are defined."""
    if path not in lines:
        depth = 0
        lines[path] = []
        for line in path.read_text().splitlines():
            directive = re.match(r'\s*#\s*(if|endif|include\s*[<"]([^>"]+))', line)
            if directive and directive[2]:
                lines[path].append((directive[2], depth == 0))
            elif directive:
                depth += {"if": 1, "endif": -1}.get(directive[1], 0)
    return lines[path]


def all_of(source, always=False):
    """Returns all that a source includes, directly or by way of others: the project's files as paths, and the names of
    others. always: only what it includes whatever macros are defined."""
    found, ahead = set(), [source]
    while ahead:
        path = ahead.pop()
        for name, is_certain in included_by(path):
            if always and not is_certain:
                continue
            files = [folder / name for folder in (path.parent, *FOLDERS) if (folder / name).is_file()]
            file = files[0].resolve() if files else name
            if file not in found:
                found.add(file)
                ahead += files[:1]
    return frozenset(found)


def of_other_origin(source):
    """Returns the headers of other origin that a source includes in any case, and that may be compiled in advance."""
    return frozenset(name for name in all_of(source, always=True)
                     if isinstance(name, str) and (name in COST or re.match(KNOWN, name)))


def own_files():
    """Returns the C++ files of the library, the tool and the examples."""
    return sorted(path for name in ("src", "tools", "examples") for path in (ROOT / name).rglob("*")
                  if path.suffix in (".h", ".cpp"))


def undeclared(path):
    """Returns a name of DECLARED_BY that a file uses and that none of its headers declares, with the header that it should
    include; or None. Headers without #pragma once stand within namespaces of others, and include nothing."""
    text = path.read_text()
    if path.suffix == ".h" and "#pragma once" not in text:
        return None
    code = re.sub(r'//.*|"(?:\\.|[^"\\])*"', "", text)
    for name, headers in DECLARED_BY.items():
        used = re.search(name, code)
        if used and not all_of(path).intersection(headers):
            return used[0], headers[0]
    return None


@functools.cache
def words_of(path):
    return frozenset(re.findall(r"[A-Za-z_]\w*", path.read_text()))


@functools.cache
def defined_by(source):
    """Returns the names that a source defines, and others beside them: the words of lines that are not indented, and of
    macros."""
    lines_of_scopes = re.findall(r"^(?:[A-Za-z_\[]|#\s*define).*", source.read_text(), re.MULTILINE)
    return frozenset(re.findall(r"[A-Za-z_]\w*", " ".join(lines_of_scopes)))


def rows_of(sources):
    """Divides sources into few rows. In a row, each source includes all that those before it do, and names nothing that
    these define, unless its headers name it too."""
    sets = {source: all_of(source) for source in sources}
    rows = []
    for source in sorted(sources, key=lambda source: (len(sets[source]), source)):
        headers = [path for path in sets[source] if isinstance(path, pathlib.Path)]
        own = words_of(source).difference(*map(words_of, headers))
        fitting = [row for row in rows if sets[row[-1]] <= sets[source]
                   and not any(own & defined_by(before) for before in row)]
        if fitting:
            max(fitting, key=lambda row: len(sets[row[-1]])).append(source)
        else:
            rows.append([source])
    return rows


def cost(headers):
    return sum(COST[name] for name in headers)


def choose(closures, most=10):
    """Takes what each source includes, and returns sets of headers to compile in advance, which save the most."""
    counts = collections.Counter(closures)
    candidates = {one & other for one in counts for other in counts}
    chosen, saved = [], dict.fromkeys(counts, 0)

    def gain(headers):
        return sum(n * max(0, cost(headers) - saved[closure]) for closure, n in counts.items()
                   if headers <= closure) - 2 * cost(headers)

    while len(chosen) < most:
        best = max(candidates, key=lambda headers: (gain(headers), sorted(headers)))
        if gain(best) <= 0:
            break
        chosen.append(best)
        saved = {closure: max(had, cost(best) if best <= closure else 0) for closure, had in saved.items()}
    return chosen
