"""What mouse and keys do in the window of clothc_viewer. usage: window_hands_test.py VIEWER TOOL [FUNCTION...]"""
import json
import math
import subprocess

from window import TOOL, middle, run_tests

distance = math.dist


def near(a, b, tolerance):
    return all(abs(x - y) <= tolerance for x, y in zip(a, b))


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def offset(camera):
    return [a - b for a, b in zip(camera["eye"], camera["target"])]


def test_play_pause_step_and_reset(window, setting):
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
    assert first["hash"] and first["hash"] == hash_after(setting.scene, stepped["frame"]), first["hash"]
    window.do("point reset", "click left", "frames 1")
    assert window.state()["frame"] == 0
    window.do(*["key right"] * stepped["frame"], "point hash", "click left", "frames 1")
    assert window.state()["hash"] == first["hash"]
    window.do("key r")
    assert window.state()["frame"] == 0


def hash_after(scene, frames):
    """Returns the hash that the tool gets on the processor."""
    output = subprocess.run([TOOL, "sim", scene, "--frames", str(frames), "--backend", "cpu", "--json"], check=True,
                            capture_output=True, text=True).stdout
    return json.loads(output)["hash"]


def test_the_camera_turns_moves_and_zooms(window, setting):
    window.do("key f")
    first = window.state()
    # Beside the sheet.
    left = [first["free"][0] + 20, first["free"][3] - 30]
    window.drag(left, [left[0] + 60, left[1] - 40])
    window.do("release left")
    turned = window.state()["camera"]
    radius = distance(turned["eye"], turned["target"])
    assert turned["target"] == first["camera"]["target"]
    assert distance(turned["eye"], first["camera"]["eye"]) > 0.3 * radius
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
    window.drag(begin, [begin[0] - 60, begin[1] - 50], "right")
    window.do("release right", "wheel 3")
    assert window.state()["camera"] == first["camera"]


def test_a_pulled_particle_follows_the_mouse(window, setting):
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


def test_wind_blows_along_the_mouse_and_as_the_panel_says(window, setting):
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


def test_sliders_change_what_the_solver_has(window, setting):
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


def test_what_is_shown_changes_the_picture(window, setting):
    window.do("panel show", "key r", "key f", "frames 1")
    before = window.screenshot(setting.folder / "plain.png")
    free = [round(x) for x in window.state()["free"]]
    for key, name in ((2, "wireframe"), (3, "strain"), (4, "normals")):
        window.do(f"point show.{name}", "click left", "frames 1")
        assert window.state()["shown"][name]
        image = window.screenshot(setting.folder / f"{name}.png")
        assert image.crop(free).tobytes() != before.crop(free).tobytes(), f"{name} changes nothing"
        window.do(f"key {key}")
        assert not window.state()["shown"][name]
    window.do("move 1 1", "frames 1")
    assert window.screenshot(setting.folder / "again.png").crop(free).tobytes() == before.crop(free).tobytes()


if __name__ == "__main__":
    run_tests(globals())
