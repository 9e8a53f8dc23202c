"""Runs clothc_viewer in a window on a virtual screen (Xvfb), and talks to it as scripts do (window/script.h). The
arguments of a test are the viewer, the tool, and the names of the functions to run if not all shall."""
import inspect
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
VIEWER, TOOL = sys.argv[1:3]
WIDTH, HEIGHT = 640, 400

# Colour of text, see palette::TEXT in window/style.h.
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
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp",
             "-noreset"], pass_fds=[writing], stderr=subprocess.DEVNULL)
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
        return {**os.environ, "DISPLAY": self.display, "WAYLAND_DISPLAY": ""}

    def xdotool(self, *arguments):
        """Moves the real pointer or presses real keys of the screen; returns what xdotool prints."""
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.environment(), check=True,
                              capture_output=True, text=True).stdout


class Window:
    """A viewer that is open and does what do() says."""

    def __init__(self, screen, *arguments):
        self.process = subprocess.Popen([VIEWER, *map(str, arguments), "--script", "-"], env=screen.environment(),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True)

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


def write_sheet(path):
    """Writes a scene: a sheet of 1 m that hangs from its top row in the plane z = 0, seen from the front."""
    sheet = {"columns": 13, "rows": 13, "width": 1, "height": 1, "origin": [-0.5, 1.5, 0]}
    cloth = {"name": "sheet", "mesh": {"sheet": sheet}, "pins": [{"rows": [0]}], "colour": [0.6, 0.1, 0.1]}
    camera = {"eye": [0, 1, 3], "target": [0, 1, 0], "fov": 40}
    ground = {"planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}]}
    path.write_text(json.dumps({"name": path.stem, "frames": 60, "cloths": [cloth], "camera": camera,
                                "colliders": ground}))
    return path


def why_there_is_no_window(screen):
    """Returns what the viewer says if it was built without one, or else an empty text."""
    process = subprocess.run([VIEWER, "--script", os.devnull], env=screen.environment(), capture_output=True,
                             text=True, check=False)
    return process.stderr.strip() if "has no window" in process.stderr else ""


class Setting:
    """What tests share: a screen, a folder with scenes, and a window that one test after the other uses."""

    def __init__(self, screen, folder):
        self.screen, self.folder = screen, folder
        self.scene = write_sheet(folder / "sheet.json")
        self.window = None

    def shared_window(self):
        """Opens the scene on the renderer's own device."""
        if not self.window:
            self.window = Window(self.screen, self.scene, "--scenes", self.folder, "--backend", "vulkan", "--width",
                                 WIDTH, "--height", HEIGHT)
            self.window.do("frames 2")
        self.window.do("key r", "key f", "frames 1")
        return self.window


def shares_window(test):
    return "window" in inspect.signature(test).parameters


def run_tests(tests):
    """Runs the functions named test_... Those with a parameter named window share one, and come last, so that there is
    only one window at a time."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        skip("Pillow is not here; install python3-pil")
    only = sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder, Screen(1440, 900) as screen:
        if reason := why_there_is_no_window(screen):
            skip(reason)
        setting = Setting(screen, pathlib.Path(folder))
        chosen = [test for name, test in tests.items() if name.startswith("test_") and (not only or name in only)]
        for test in sorted(chosen, key=shares_window):
            if shares_window(test):
                test(setting.shared_window(), setting)
            else:
                test(setting)
            print("ok    ", test.__name__, flush=True)
        if setting.window:
            code, messages = setting.window.close()
            assert code == 0 and messages == "", messages
