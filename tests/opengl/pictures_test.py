"""What examples/opengl draws: the cloth at its place, the same pixels whether the vertices are shared with OpenGL or copied
through the host, and how it tells which it did. The first argument is the program; DISPLAY names the screen."""
import functools
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "tool"))
from running import SKIPPED, run_tests  # noqa: E402

try:
    from PIL import Image, ImageChops
except ImportError:
    print("skipped: Pillow is not here; install python3-pil")
    sys.exit(SKIPPED)

WIDTH, HEIGHT = 640, 400
BACKGROUND = (32, 64, 96)
VERTICES_SIZE = 65 * 43 * 24
FRAMES = 20

# Environments: the driver of OpenGL that Mesa takes where there is no GPU, and the one that runs on Mesa's Vulkan driver.
LLVMPIPE = {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe"}
ZINK = {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "zink"}
# Without a Vulkan driver the library works on the processor.
PROCESSOR = {**LLVMPIPE, "VK_ICD_FILENAMES": "none"}
# Reasons that say what a driver lacks. Others are faults.
LACKS = ("has no GL_EXT_memory_object_fd", "no Vulkan device of the library", "CLOTHC_CAPABILITY_EXTERNAL_MEMORY_FD")


def run(environment, *options):
    command = [sys.argv[1], *map(str, options)]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


def draw(environment, *options, frames=FRAMES):
    """Returns the picture of a frame, and the line that tells how the vertices came into it."""
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        process = run(environment, "--picture", file.name, "--frames", frames, *options)
        assert process.returncode == 0, process.stdout + process.stderr
        way = next(line for line in process.stdout.splitlines() if line.startswith("vertices: "))
        with Image.open(file.name) as picture:
            assert picture.size == (WIDTH, HEIGHT) and picture.mode == "RGB", picture
            return picture.copy(), way


@functools.lru_cache(maxsize=None)
def draw_on_processor(frames):
    """The picture with which others are compared: all devices compute the same bits."""
    return draw(PROCESSOR, frames=frames)


def draw_shared(environment):
    """Draws with shared vertices. Returns None if a driver lacks what that needs, which is printed."""
    picture, way = draw(environment)
    print(way)
    if way.startswith("vertices: shared, 0 bytes per frame"):
        return picture
    assert any(lack in way for lack in LACKS), way
    print("skipped: sharing, for this reason")
    return None


def is_cloth(picture, x, y):
    return picture.getpixel((x, y)) != BACKGROUND


def differing_pixels(a, b):
    return sum(pixel != (0, 0, 0) for pixel in ImageChops.difference(a, b).getdata())


def pixel_of(x, y, z=0):
    """Where the camera of the example, which looks along -z from z = 2.6, sees a point."""
    scale = HEIGHT / 2 * 2.0 / (2.6 - z)
    return WIDTH / 2 + scale * x, HEIGHT / 2 - scale * y


def test_the_sheet_is_drawn_at_its_place(_):
    # After one update it has fallen by a few millimetres: it covers the projection of 2 m x 1.3 m around the origin.
    picture, _ = draw_on_processor(1)
    left, top = pixel_of(-1, 0.65)
    right, bottom = pixel_of(1, -0.65)
    for x in range(WIDTH):
        for y in range(HEIGHT):
            inside = left + 2 < x < right - 2 and top + 2 < y < bottom - 2
            outside = x < left - 2 or x > right + 2 or y < top - 2 or y > bottom + 2
            if inside or outside:
                assert is_cloth(picture, x, y) == inside, (x, y, picture.getpixel((x, y)))


def test_the_sheet_moves_and_its_upper_corners_do_not(_):
    later, _ = draw_on_processor(FRAMES)
    assert differing_pixels(draw_on_processor(1)[0], later) > 5000
    for side in (-1, 1):
        x, y = pixel_of(side, 0.65)
        # 3 pixels inside of the corner there is cloth, and 3 pixels outside of it none.
        assert is_cloth(later, round(x) - 3 * side, round(y) + 3)
        assert not is_cloth(later, round(x) + 3 * side, round(y) - 3)


def test_copied_vertices_make_the_same_picture_on_every_device(_):
    expected, way = draw_on_processor(FRAMES)
    assert f"copied, {VERTICES_SIZE} bytes per frame: no Vulkan device" in way, way
    copied, way = draw(LLVMPIPE, "--copy")
    assert f"copied, {VERTICES_SIZE} bytes per frame: --copy" in way, way
    assert differing_pixels(copied, expected) == 0


def test_shared_vertices_make_the_same_picture(_):
    shared = draw_shared(LLVMPIPE)
    if shared:
        assert differing_pixels(shared, draw_on_processor(FRAMES)[0]) == 0


def test_another_driver_of_opengl_shares_vertices_too(_):
    started = run(ZINK, "--picture", os.devnull, "--frames", 1)
    if started.returncode or "OpenGL: zink" not in started.stdout:
        print("skipped: OpenGL on Vulkan (zink) does not run here:", started.stderr.strip() or started.stdout.strip())
        return
    copied, _ = draw(ZINK, "--copy")
    # It rounds the edges of some triangles in another way.
    assert differing_pixels(copied, draw_on_processor(FRAMES)[0]) < WIDTH * HEIGHT // 1000
    shared = draw_shared(ZINK)
    if shared:
        assert differing_pixels(shared, copied) == 0


def test_vertices_are_copied_where_opengl_cannot_share_them(_):
    picture, way = draw({**LLVMPIPE, "MESA_EXTENSION_OVERRIDE": "-GL_EXT_memory_object_fd"}, frames=1)
    assert f"copied, {VERTICES_SIZE} bytes per frame: " in way and any(lack in way for lack in LACKS), way
    assert differing_pixels(picture, draw_on_processor(1)[0]) == 0


def test_a_wrong_option_and_a_picture_that_cannot_be_written_are_told(folder):
    wrong = run(PROCESSOR, "--frames", "none")
    assert wrong.returncode == 2 and "--frames" in wrong.stderr, wrong
    failed = run(PROCESSOR, "--picture", folder / "no folder" / "picture.png", "--frames", 1)
    assert failed.returncode == 1 and "cannot be written" in failed.stderr, failed


if __name__ == "__main__":
    if "DISPLAY" not in os.environ:
        print("skipped: there is no screen; install xvfb and xauth")
        sys.exit(SKIPPED)
    first = run(PROCESSOR, "--picture", os.devnull, "--frames", 1)
    if "no window with OpenGL 4.5" in first.stderr:
        print("skipped:", first.stderr.strip())
        sys.exit(SKIPPED)
    run_tests(dict(globals()))
