"""comments.py - reads the doc comments of the public headers: their text, and the parts that begin with a tag."""

import re

TAGS = ("Lifetime", "Waits", "Errors", "Threads", "Source")


def text_of(raw):
    """The text of a comment without its stars, as paragraphs of single lines."""
    if not raw:
        return ""
    inner = re.sub(r"^/\*+|\*/$", "", raw.strip())
    lines = [re.sub(r"^\s*\*? ?", "", line).strip() for line in inner.strip().splitlines()]
    paragraphs = re.split(r"\n{2,}", "\n".join(lines))
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def split(text, names):
    """Divides the text of a comment on a function into what stands before the first tag, and the text of each tag and
    of each parameter in names. A tag or name counts where it begins a sentence and a colon follows."""
    begins = re.compile(r"(?:^|(?<=[.;)] )|(?<=\n))(" + "|".join([*TAGS, *map(re.escape, names)]) + r"): ")
    parts = {"": []}
    name, end = "", 0
    for match in begins.finditer(text):
        parts[name].append(text[end : match.start()].strip())
        name, end = match.group(1), match.end()
        parts.setdefault(name, [])
    parts[name].append(text[end:].strip())
    return {name: " ".join(filter(None, texts)) for name, texts in parts.items()}


def dimensions_of(text):
    """The dimensions in brackets at the beginning of a comment on an array, such as ["particle_count", "4"]."""
    text = re.sub(r"^(UINT|FLOAT), ", "", text)
    found = []
    while text.startswith("["):
        depth = 0
        for end, letter in enumerate(text):
            depth += (letter == "[") - (letter == "]")
            if depth == 0:
                break
        found.append(text[1:end])
        text = text[end + 1 :]
    return found
