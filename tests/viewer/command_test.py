"""The command lines that draw with Vulkan: clothc_viewer, and `clothc sim --renderer`."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
VIEWER, TOOL = sys.argv[1:3]

try:
    from PIL import Image, ImageChops, ImageStat
except ImportError:
    print("skipped: Pillow is not here; install python3-pil")
    sys.exit(SKIPPED)


def run(*command, exit_code=0, **environment):
    process = subprocess.run(list(map(str, command)), capture_output=True, text=True, errors="replace", check=False,
                             env={**os.environ, **environment})
    assert process.returncode == exit_code, (command, process.returncode, process.stdout, process.stderr)
    return process


def sim(folder, renderer, scene="flag", frames=30, exit_code=0, **environment):
    return run(TOOL, "sim", PROJECT / "scenes" / f"{scene}.json", "--frames", frames, "--png", "--png-every", frames, "--width",
               400, "--height", 225, "--every", 1000, "--renderer", renderer, "--out", folder / renderer, "--json",
               exit_code=exit_code, **environment)


def mean_difference(a, b):
    return sum(ImageStat.Stat(ImageChops.difference(Image.open(a), Image.open(b))).mean) / 3


def test_the_viewer_draws_a_picture_of_the_size_asked_for(folder):
    run(VIEWER, PROJECT / "scenes" / "flag.json", "--frames", 2, "--width", 200, "--height", 100, "--png", folder / "a.png",
        "--show", "wireframe,normals")
    assert Image.open(folder / "a.png").size == (200, 100)


def test_the_viewer_tells_the_time_of_both_halves_of_a_frame_and_what_the_host_copied(folder):
    for backend, copied in (("vulkan", 0), ("cpu", 81 * 53 * 24)):
        text = run(VIEWER, PROJECT / "scenes" / "flag.json", "--frames", 2, "--width", 64, "--height", 48, "--times",
                   "--backend", backend).stdout
        assert float(re.search(r"simulate ([0-9.]+) ms", text)[1]) > 0, text
        assert float(re.search(r"draw +([0-9.]+) ms", text)[1]) > 0, text
        assert int(re.search(r"copied by the host: (\d+) bytes per frame", text)[1]) == copied, text


def test_the_viewer_says_what_is_wrong(folder):
    scene = PROJECT / "scenes" / "flag.json"
    # Without a display, and in a build without a window.
    assert "--png" in run(VIEWER, scene, exit_code=2, DISPLAY="", WAYLAND_DISPLAY="").stderr
    assert "SCENE" in run(VIEWER, "--times", exit_code=2).stderr
    assert "no-such.json" in run(VIEWER, "no-such.json", "--png", folder / "a.png", exit_code=2).stderr
    assert "not the device 'no such GPU'" in run(VIEWER, scene, "--png", folder / "a.png", "--gpu", "no such GPU",
                                                 exit_code=2).stderr
    assert not (folder / "a.png").exists()


def test_both_renderers_of_the_tool_draw_the_same_picture(folder):
    for scene in ("flag", "tablecloth", "banner"):
        documents = {name: json.loads(sim(folder, name, scene).stdout) for name in ("vulkan", "processor")}
        assert documents["processor"]["renderer"] == "the processor"
        assert documents["vulkan"]["renderer"].startswith("Vulkan on "), documents["vulkan"]["renderer"]
        for frame in ("frame_0000.png", "frame_0030.png"):
            difference = mean_difference(folder / "vulkan" / frame, folder / "processor" / frame)
            # Of 255. The flag alone is a tenth of the picture.
            assert difference < 1.5, (scene, frame, difference)
        moved = mean_difference(folder / "vulkan" / "frame_0000.png", folder / "vulkan" / "frame_0030.png")
        assert moved > 3 * difference, (scene, moved, difference)


def test_the_tool_takes_the_processor_where_there_is_no_gpu(folder):
    # What imitates a GPU on the processor is no quicker than the other renderer.
    assert json.loads(sim(folder, "auto", frames=1).stdout)["renderer"] == "the processor"
    assert json.loads(sim(folder, "auto", frames=1, VK_ICD_FILENAMES="none").stdout)["renderer"] == "the processor"
    message = sim(folder, "vulkan", frames=1, exit_code=2, VK_ICD_FILENAMES="none").stderr
    assert "no Vulkan device can draw" in message and "--renderer processor" in message, message
    assert "GPU" in run(TOOL, "sim", "--help").stdout


def main():
    failures = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(pathlib.Path(folder))
                print("ok    ", name)
            except Exception as error:
                failures += 1
                print("FAILED", name, repr(error))
    sys.exit(1 if failures else 0)


main()
