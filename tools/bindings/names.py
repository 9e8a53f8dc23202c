"""names.py - how the names of the C interface are written in other languages, and comments wrapped to lines."""

import re
import textwrap


def short(name):
    """clothc_device_desc -> device_desc."""
    return name.removeprefix("clothc_")


def pascal(name):
    """clothc_device_desc -> DeviceDesc, SSE4_1 -> Sse41, long_range -> LongRange."""
    return "".join(word[:1].upper() + word[1:].lower() for word in short(name).split("_"))


def camel(name):
    """particle_count -> particleCount."""
    text = pascal(name)
    return text[:1].lower() + text[1:]


def enum_name(enum):
    """Backend, or MapFlags for constants that have no type of their own in C."""
    if enum["name"]:
        return pascal(enum["name"])
    return pascal(enum["prefix"].removeprefix("CLOTHC_").strip("_")) + ("Flags" if enum["is_flags"] else "")


def value_name(enum, value):
    """CLOTHC_BACKEND_CPU -> CPU."""
    return value["name"].removeprefix(enum["prefix"])


def enum_of(description, prefix):
    """The enum whose constants begin with a prefix, as the field "constants" of a field or parameter names it. If two
    have the same prefix, it is the one of flags."""
    found = [e for e in description["enums"] if e["prefix"] == prefix]
    return max(found, key=lambda e: e["is_flags"])


def sections(function):
    """The comment on a function as pairs of a title and a text: first the text without a title, then parameters with
    their names as titles, then Lifetime, Waits, Errors, Threads and Source."""
    yield "", function["doc"]
    for parameter in function["parameters"]:
        if parameter["doc"]:
            yield parameter["name"], parameter["doc"]
    for tag in ("lifetime", "waits", "errors", "threads", "source"):
        if function[tag]:
            yield tag.capitalize(), function[tag]


def wrapped(text, prefix, width=120):
    """Lines of at most width characters, each with the prefix; paragraphs stay apart."""
    lines = []
    for paragraph in text.split("\n\n"):
        if lines:
            lines.append(prefix.rstrip())
        room = width - len(prefix)
        lines += [prefix + line for line in textwrap.wrap(paragraph, room, break_long_words=False, break_on_hyphens=False)]
    return lines


def sentence(text):
    """The text with a full stop at its end and a capital at its begin, for languages whose comments want sentences."""
    text = text.strip()
    if not text:
        return ""
    if not re.search(r"[.!?:]$", text):
        text += "."
    return text[:1].upper() + text[1:]
