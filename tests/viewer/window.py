"""Runs clothc_viewer in a window on a virtual screen (Xvfb) and talks to it as a script does (window/script.h)."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
TEXT = (230, 232, 237)


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIPPED)


class Screen:
    """A virtual screen, on a display number that is free."""

    def __init__(self, width, height):
        if not shutil.which("Xvfb"):
            skip("Xvfb is not here; install xvfb")
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number:
            self.display = ":" + number.readline().strip()
        assert self.display != ":", "Xvfb has ended before it had a screen"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def environment(self):
        return {**os.environ, "DISPLAY": self.display}

    def xdotool(self, *arguments):
        """Moves the real pointer or presses real keys of the screen; returns what xdotool prints."""
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.environment(), check=True, capture_output=True,
                              text=True).stdout


class Window:
    """A viewer that is open and does what do() says."""

    def __init__(self, screen, viewer, *arguments):
        self.process = subprocess.Popen([viewer, *map(str, arguments), "--script", "-"], env=screen.environment(),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def do(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line):
        self.do(line)
        answer = self.process.stdout.readline()
        assert answer, f"the window has closed at \"{line}\": {self.process.stderr.read()}"
        return json.loads(answer)

    def state(self):
        return self.ask("state")

    def particle(self, cloth, index):
        return self.ask(f"particle {cloth} {index}")

    def screenshot(self, path):
        """Returns the next frame as an image of Pillow."""
        from PIL import Image
        # The answer to `state` comes behind the frame.
        self.do(f"screenshot {path}")
        self.state()
        return Image.open(path).convert("RGB")

    def drag(self, begin, end, button="left", steps=2):
        """Presses a button at a pixel, moves to another one in steps, and leaves the button down."""
        self.do(f"move {begin[0]} {begin[1]}", f"press {button}")
        for step in range(1, steps + 1):
            x, y = (a + (b - a) * step / steps for a, b in zip(begin, end))
            self.do(f"move {x} {y}")

    def close(self):
        """Ends the script; returns the exit code and what was written to stderr."""
        _, messages = self.process.communicate()
        return self.process.returncode, messages


def middle(rectangle):
    return [(rectangle[0] + rectangle[2]) / 2, (rectangle[1] + rectangle[3]) / 2]


def is_inside(inner, outer, margin=1):
    return (inner[0] >= outer[0] - margin and inner[1] >= outer[1] - margin and inner[2] <= outer[2] + margin and
            inner[3] <= outer[3] + margin)


def count_text(image):
    """Returns the number of pixels that have the colour of text."""
    return sum(count for count, colour in image.getcolors(image.width * image.height)
               if max(abs(a - b) for a, b in zip(colour, TEXT)) < 24)


def write_sheet(path, **fields):
    """Writes a scene: a sheet of 1 m that hangs from its top row in the plane z = 0, seen from the front."""
    cloth = {"name": "sheet", "mesh": {"sheet": {"columns": 13, "rows": 13, "width": 1, "height": 1, "origin": [-0.5, 1.5, 0]}},
             "pins": [{"rows": [0]}], "colour": [0.6, 0.1, 0.1]}
    scene = {"name": path.stem, "frames": 60, "cloths": [cloth], "camera": {"eye": [0, 1, 3], "target": [0, 1, 0], "fov": 40},
             "colliders": {"planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}]}, **fields}
    pathlib.Path(path).write_text(json.dumps(scene))
    return path
