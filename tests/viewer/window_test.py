"""The window of clothc_viewer: every panel, and what mouse and keys do, on a virtual screen.
usage: window_test.py VIEWER TOOL"""
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

from window import Screen, Window, count_text, is_inside, middle, skip, write_sheet

try:
    from PIL import Image  # noqa: F401
except ImportError:
    skip("Pillow is not here; install python3-pil")

VIEWER, TOOL = sys.argv[1:3]
WIDTH, HEIGHT = 640, 400
PANELS = ["scene", "cloth", "show", "wind", "times", "keys"]


def near(a, b, tolerance):
    return all(abs(x - y) <= tolerance for x, y in zip(a, b))


def distance(a, b):
    return math.dist(a, b)


def offset(camera):
    return [a - b for a, b in zip(camera["eye"], camera["target"])]


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


# ------------------------------------------------------------------------------------------------------------- panels


def check_every_panel_shows_text_and_leaves_the_picture_free(window, folder):
    areas = {}
    for panel in PANELS:
        window.do(f"panel {panel}")
        image = window.screenshot(folder / f"{panel}.png")
        state = window.state()
        assert image.size == (WIDTH, HEIGHT) == tuple(state["window"]), image.size
        assert state["panel"] == panel, state["panel"]
        sidebar, free = state["items"]["sidebar"], state["free"]
        assert sidebar[2] == WIDTH and sidebar[3] == HEIGHT and free[2] == sidebar[0], (sidebar, free)
        # The picture has most of the window.
        assert (free[2] - free[0]) * (free[3] - free[1]) > 0.3 * WIDTH * HEIGHT, free
        area = image.crop([round(x) for x in state["items"]["panel"]])
        assert count_text(area) > 200, f"panel {panel} has {count_text(area)} pixels of text"
        areas[panel] = area.tobytes()
        for name, item in state["items"].items():
            if name.startswith(("tab.", "play", "step", "reset", "speed")):
                assert is_inside(item, (0, 0, WIDTH, HEIGHT)), (panel, name, item)
        picture = image.crop([round(x) for x in free])
        assert len(set(picture.resize((64, 32)).getdata())) > 100, f"nothing is drawn beside panel {panel}"
    assert len(set(areas.values())) == len(PANELS), "two panels look alike"


def check_all_enumerators_of_parameters_have_names(state):
    named = state["enumerators"]
    assert set(named) == {"sleep_policy", "statistics", "collision_flags"}, named
    assert not any(name.isdigit() for names in named.values() for name in names), named


# ------------------------------------------------------------------------------------------------------------ playing


def check_playing(window):
    window.do("panel scene", "point play", "click left")
    before = window.state()
    window.do("frames 5")
    after = window.state()
    assert before["playing"] and after["frame"] == before["frame"] + 5, (before["frame"], after["frame"])
    window.do("key space")
    paused = window.state()
    assert not paused["playing"]
    window.do("frames 2", "point step", "click left", "frames 1", "key period")
    stepped = window.state()
    assert stepped["frame"] == paused["frame"] + 2, (paused["frame"], stepped["frame"])
    window.do("point panel", "wheel -30", "frames 1", "point hash", "click left", "frames 1")
    first = window.state()
    assert first["hash"] and first["hash"] == hash_after(stepped["frame"]), first["hash"]
    window.do("point reset", "click left", "frames 1")
    assert window.state()["frame"] == 0
    window.do(*["key right"] * stepped["frame"], "point hash", "click left", "frames 1")
    assert window.state()["hash"] == first["hash"]
    window.do("key r")
    assert window.state()["frame"] == 0


def hash_after(frames):
    import json
    output = subprocess.run([TOOL, "sim", check_scene, "--frames", str(frames), "--backend", "cpu", "--json"], check=True,
                            capture_output=True, text=True).stdout
    return json.loads(output)["hash"]


# ------------------------------------------------------------------------------------------------------------- camera


def check_camera(window):
    window.do("key f")
    first = window.state()
    # Beside the sheet.
    left = [first["free"][0] + 20, first["free"][3] - 30]
    window.drag(left, [left[0] + 60, left[1] - 40])
    window.do("release left")
    turned = window.state()["camera"]
    radius = distance(turned["eye"], turned["target"])
    assert turned["target"] == first["camera"]["target"] and distance(turned["eye"], first["camera"]["eye"]) > 0.3 * radius
    assert abs(radius - distance(first["camera"]["eye"], first["camera"]["target"])) < 1e-4 * radius

    window.do("hold shift")
    window.drag(left, [left[0] + 50, left[1]])
    window.do("release left", "let shift")
    moved = window.state()["camera"]
    assert near(offset(moved), offset(turned), 1e-4) and distance(moved["target"], turned["target"]) > 0.1
    # To the side, so not along the view.
    along = sum(a * b for a, b in zip(offset(moved), minus(moved["target"], turned["target"])))
    assert abs(along) < 1e-3, along

    window.do("wheel 2")
    zoomed = window.state()["camera"]
    ratio = distance(zoomed["eye"], zoomed["target"]) / radius
    assert abs(ratio - 0.88**2) < 1e-3 and zoomed["target"] == moved["target"], ratio
    window.do("key f")
    assert window.state()["camera"] == first["camera"]

    # Over a panel, the mouse does not reach the camera.
    begin = middle(first["items"]["panel"])
    window.drag([begin[0], begin[1] + 150], [begin[0] - 60, begin[1] + 100], "right")
    window.do("release right", "wheel 3")
    assert window.state()["camera"] == first["camera"]


# --------------------------------------------------------------------------------------------------- pulling and wind


def check_pulling(window):
    window.do("key r", "key f", "frames 1")
    state = window.state()
    begin = middle(state["free"])
    end = [begin[0] - 30, begin[1] - 24]
    window.drag(begin, end)
    pulled = window.state()["pulled"]
    assert pulled and pulled["cloth"] == 0, pulled
    particle = pulled["cloth"], pulled["particle"]
    window.do("key space", "frames 16", "key space")
    held = window.particle(*particle)
    # What was picked is the particle next to the mouse, so it stays as far from the mouse as it was.
    assert distance(held["pixel"], end) < 16, (held, end)
    assert distance(held["position"], window.state()["pulled"]["wanted"]) < 0.05, held
    assert window.state()["camera"] == state["camera"]
    window.do("release left")
    assert window.state()["pulled"] is None
    window.do("key space", "frames 16", "key space")
    freed = window.particle(*particle)
    assert freed["position"][1] < held["position"][1] - 0.03, (held, freed)


def check_wind_by_mouse(window):
    window.do("key r")
    state = window.state()
    corner = [state["free"][0] + 40, state["free"][3] - 60]
    window.do("hold w")
    window.drag(corner, [corner[0] + 120, corner[1]])
    blowing = window.state()
    # The camera looks along -z, so right is x.
    assert blowing["wind"][0] > 3 and near(blowing["wind"][1:], [0, 0], 1e-3), blowing["wind"]
    window.do("key period")
    assert near(window.state()["parameters"]["wind_velocity"], blowing["wind"], 1e-4)
    window.do("release left", "let w", "key period")
    calm = window.state()
    assert calm["wind"] == [0, 0, 0] == calm["parameters"]["wind_velocity"], calm["wind"]
    assert calm["camera"] == state["camera"]
    window.do("panel wind", "point wind.z 0.75", "click left", "key period")
    steady = window.state()
    assert steady["wind"][2] > 10 and near(steady["parameters"]["wind_velocity"], steady["wind"], 1e-4), steady["wind"]
    window.do("point wind.calm", "click left", "key period")
    assert window.state()["parameters"]["wind_velocity"] == [0, 0, 0]


# --------------------------------------------------------------------------------------------------------- parameters


def check_parameters(window):
    window.do("panel cloth", "point filter", "click left", "type friction", "frames 1")
    state = window.state()
    shown = [name for name in state["items"] if name.startswith("parameter.")]
    assert len(shown) == 4 and all("friction" in name for name in shown), shown
    assert state["parameters"]["friction"] == 0
    window.do("point parameter.friction 0.05", "press left", "point parameter.friction 0.9", "release left")
    changed = window.state()["parameters"]["friction"]
    assert 10 < changed <= 100, changed
    # It survives a reset, and the menu behind the right button resets it.
    window.do("key r", "key period")
    assert window.state()["parameters"]["friction"] == changed
    window.do("point parameter.friction", "click right", "frames 2")
    state = window.state()
    window.do("point menu.default", "click left", "frames 1")
    assert window.state()["parameters"]["friction"] == 0
    window.do("point filter", "click left", "hold ctrl", "key a", "let ctrl", "type gravity", "key enter", "frames 1")
    window.do("point parameter.gravity 0.5", "press left", "release left")
    gravity = window.state()["parameters"]["gravity"]
    assert gravity[0] == 0 == gravity[2] and gravity[1] > -1, gravity


def check_what_is_shown(window, folder):
    window.do("panel show", "key r", "key f", "frames 1")
    before = window.screenshot(folder / "plain.png")
    free = [round(x) for x in window.state()["free"]]
    for key, name in ((2, "wireframe"), (3, "strain"), (4, "normals")):
        window.do(f"point show.{name}", "click left", "frames 1")
        assert window.state()["shown"][name]
        image = window.screenshot(folder / f"{name}.png")
        assert image.crop(free).tobytes() != before.crop(free).tobytes(), f"{name} changes nothing"
        window.do(f"key {key}")
        assert not window.state()["shown"][name]
    window.do("move 1 1", "frames 1")
    assert window.screenshot(folder / "again.png").crop(free).tobytes() == before.crop(free).tobytes()


def check_times(window):
    window.do("panel times", "key space", "frames 6", "key space", "frames 1")
    state = window.state()
    times = state["times"]
    assert times["simulate_host"] > 0 and times["draw_host"] > 0 and times["frame"] > 0, times
    assert times["draw_device"] > 0 and times["simulate_device"] > 0 and state["stages"] >= 3, (times, state["stages"])
    assert "times.split" in state["items"], state["items"].keys()
    assert state["adopted"] and state["host_copied_bytes"] == 0, state["host_copied_bytes"]


# --------------------------------------------------------------------------------------------------- files and errors


def check_errors_are_shown(window, folder):
    frame = window.state()["frame"]
    window.do("open /nowhere/at_all.json", "frames 2")
    failed = window.state()
    assert "/nowhere/at_all.json" in failed["message"] and "message" in failed["items"], failed["message"]
    assert failed["frame"] == frame and failed["file"] == str(check_scene)
    image = window.screenshot(folder / "message.png")
    red = image.getpixel((round(failed["items"]["message"][0]) + 4, round(failed["items"]["message"][1]) + 4))
    assert red[0] > 2 * red[1], red
    window.do("point dismiss", "click left", "frames 1")
    dismissed = window.state()
    assert dismissed["message"] == "" and "message" not in dismissed["items"]
    window.do("key period")
    assert window.state()["frame"] == frame + 1


def check_scene_list_and_captures(window):
    window.do("panel scene", "point scene.other", "click left", "frames 2")
    state = window.state()
    assert pathlib.Path(state["file"]).name == "other.json" and state["frame"] == 0, state["file"]
    window.do("point scene.recorded.capture", "click left", "frames 2")
    capture = window.state()
    assert pathlib.Path(capture["file"]).name == "recorded.capture" and capture["message"] == "", capture["message"]
    first = capture["frame"]
    window.do("key period", "key period")
    assert window.state()["frame"] == first + 2
    window.do("point scrub 0.9", "press left", "release left", "frames 1")
    later = window.state()["frame"]
    assert later > first + 4, later
    window.do("point scrub 0.3", "press left", "release left", "frames 1")
    assert first <= window.state()["frame"] < later
    return capture


def check_sizes(window, folder):
    for width, height in ((420, 320), (720, 300), (WIDTH, HEIGHT)):
        window.do(f"resize {width} {height}", "frames 2")
        image = window.screenshot(folder / "resized.png")
        state = window.state()
        assert image.size == (width, height) == tuple(state["window"]), (image.size, state["window"])
        # Where there is no room for both, the picture comes first.
        assert ("sidebar" in state["items"]) == (width > 600), state["items"].keys()
        for name in ("play", "step", "reset", "sidebar_switch"):
            assert is_inside(state["items"][name], (0, 0, width, height)), (name, state["items"][name])


# ---------------------------------------------------------------------------------------------------------- the tests


def test_window(screen, folder):
    window = Window(screen, VIEWER, check_scene, "--scenes", folder, "--backend", "vulkan", "--width", WIDTH, "--height",
                    HEIGHT)
    window.do("frames 2")
    state = window.state()
    assert state["message"] == "" and state["file"] == str(check_scene) and not state["playing"], state["message"]
    check_all_enumerators_of_parameters_have_names(state)
    check_every_panel_shows_text_and_leaves_the_picture_free(window, folder)
    check_playing(window)
    check_camera(window)
    check_pulling(window)
    check_wind_by_mouse(window)
    check_parameters(window)
    check_what_is_shown(window, folder)
    check_times(window)
    check_errors_are_shown(window, folder)
    check_scene_list_and_captures(window)
    check_sizes(window, folder)
    code, messages = window.close()
    assert code == 0, messages


def test_real_mouse_and_keys(screen, folder):
    """Events of the X server take the way through GLFW."""
    if not shutil.which("xdotool"):
        print("not tested: real mouse and keys; xdotool is not here")
        return
    window = Window(screen, VIEWER, check_scene, "--backend", "cpu", "--width", 480, "--height", 320)
    window.do("real", "frames 2")
    first = window.state()

    def wait_for(what, changed):
        # Events come when they come; each frame takes some milliseconds.
        for _ in range(500):
            window.do("frames 1")
            if changed(window.state()):
                return
        raise AssertionError(f"{what} has not reached the window")

    [number] = screen.xdotool("search", "--name", "clothc viewer").split()
    screen.xdotool("windowfocus", number)
    screen.xdotool("mousemove", "--window", number, 30, 280, "mousedown", 3)
    window.do("frames 2")
    screen.xdotool("mousemove", "--window", number, 90, 250)
    wait_for("the mouse", lambda state: state["camera"] != first["camera"])
    screen.xdotool("mouseup", 3)
    screen.xdotool("key", "space")
    wait_for("the key", lambda state: state["playing"] and state["frame"] > 0)
    code, messages = window.close()
    assert code == 0, messages


def test_scaled_texts(screen, folder):
    """On a screen of high density everything is larger, and all tabs have room."""
    tabs = {}
    for scale, width in ((1, 700), (2, 1400)):
        window = Window(screen, VIEWER, check_scene, "--backend", "cpu", "--width", width, "--height", 300 * scale, "--scale",
                        scale)
        window.do("frames 3")
        state = window.state()
        tabs[scale] = [state["items"][f"tab.{panel}"] for panel in PANELS]
        for tab in tabs[scale]:
            assert is_inside(tab, state["items"]["sidebar"]), (tab, state["items"]["sidebar"])
        assert window.close()[0] == 0
    for small, large in zip(tabs[1], tabs[2]):
        ratio = (large[3] - large[1]) / (small[3] - small[1])
        assert 1.8 < ratio < 2.2, ratio


def test_mistakes_in_scripts_and_no_display(screen, folder):
    window = Window(screen, VIEWER, check_scene, "--backend", "cpu", "--width", 320, "--height", 240)
    window.do("frames 1", "point no_such_button")
    code, messages = window.close()
    assert code == 1 and "line 2 of the script: there is no item \"no_such_button\"" in messages, (code, messages)
    hidden = subprocess.run([VIEWER, check_scene], env={**screen.environment(), "DISPLAY": ":no"}, capture_output=True,
                            text=True, check=False)
    assert hidden.returncode == 2 and "no display" in hidden.stderr and "--png" in hidden.stderr, hidden.stderr


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary, Screen(1440, 900) as virtual:
        main_folder = pathlib.Path(temporary)
        check_scene = write_sheet(main_folder / "sheet.json")
        write_sheet(main_folder / "other.json")
        subprocess.run([TOOL, "record", main_folder / "recorded.capture", "--", TOOL, "sim", check_scene, "--frames", "12",
                        "--backend", "cpu"], check=True, capture_output=True)
        only = sys.argv[3:]
        for name, test in list(globals().items()):
            if name.startswith("test_") and (not only or name in only):
                test(virtual, main_folder)
                print("ok    ", name)
