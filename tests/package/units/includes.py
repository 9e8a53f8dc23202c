# includes.py - says what a source includes of other origin, as far as the text of the project's files tells it, and
# chooses headers to compile in advance. To parse them takes half of the time of a source, and seconds with CLI11 or
# nlohmann/json.
import collections
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
lines = {}


def included_by(path):
    """Returns what this file includes, whatever macros are defined."""
    if path not in lines:
        depth = 0
        lines[path] = []
        for line in path.read_text().splitlines():
            directive = re.match(r'\s*#\s*(if|endif|include\s*[<"]([^>"]+))', line)
            if directive and directive[2] and depth == 0:
                lines[path].append(directive[2])
            elif directive:
                depth += {"if": 1, "endif": -1}.get(directive[1], 0)
    return lines[path]


def of_other_origin(source):
    """Returns the headers of other origin that a source includes, directly or by way of others of the project."""
    found, seen, ahead = set(), set(), [source]
    while ahead:
        path = ahead.pop()
        if path in seen:
            continue
        seen.add(path)
        for name in included_by(path):
            files = [folder / name for folder in (path.parent, *FOLDERS) if (folder / name).is_file()]
            if files:
                ahead.append(files[0])
            elif name in COST or re.match(KNOWN, name):
                found.add(name)
    return frozenset(found)


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
