"""Pictures and animations of `clothc sim --png --webp`, read by Pillow: sizes, determinism, shadow, sides of cloth."""
import json
import math
import signal
import subprocess
import sys
import time

from running import SKIPPED, clothc, clothc_json, run_tests

try:
    from PIL import Image
except ImportError:
    print("skipped: Pillow is not here; install python3-pil")
    sys.exit(SKIPPED)

WIDTH, HEIGHT = 320, 180
# What these tests know exactly is what the processor draws.
SIZE = ["--width", WIDTH, "--height", HEIGHT, "--renderer", "processor"]
GROUND = {"planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}]}


def write_scene(folder, eye=(0, 1, 3), target=(0, 0.5, 0), fov=40, colliders=None, name="pictured", sheet=None, pins=None):
    """Writes a sheet that hangs from its top row in the plane z = 0; its front faces +z."""
    sheet = {"columns": 12, "rows": 12, "width": 1, "height": 1, "origin": [-0.5, 1.2, 0], **(sheet or {})}
    cloth = {"name": "sheet", "mesh": {"sheet": sheet}, "pins": pins or [{"rows": [0]}], "colour": [0.6, 0.1, 0.1]}
    camera = {"eye": eye, "target": target, "fov": fov}
    path = folder / "scene.json"
    path.write_text(json.dumps({"name": name, "frames": 20, "cloths": [cloth], "colliders": colliders or GROUND,
                                "camera": camera}))
    return path


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def unit(a):
    return [x / math.sqrt(dot(a, a)) for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def camera_axes(eye, target):
    forward = unit(minus(target, eye))
    right = unit(cross(forward, [0, 1, 0]))
    return right, cross(right, forward), forward


def pixel_of(point, eye, target, fov=40):
    """Returns the pixel at which a pinhole camera sees a point."""
    right, up, forward = camera_axes(eye, target)
    offset = minus(point, eye)
    scale = HEIGHT / 2 / math.tan(math.radians(fov / 2)) / dot(offset, forward)
    return round(WIDTH / 2 + scale * dot(offset, right)), round(HEIGHT / 2 - scale * dot(offset, up))


def brightness(image, pixel, radius=2):
    """Returns the mean over a square, so that the ground's tiles have little effect."""
    x, y = pixel
    values = [sum(image.getpixel((i, j))) / 3 for i in range(x - radius, x + radius + 1)
              for j in range(y - radius, y + radius + 1)]
    return sum(values) / len(values)


def frame_zero(folder, scene):
    clothc("sim", scene, "--frames", 1, "--every", 100, "--out", folder / "out", "--png", *SIZE)
    return Image.open(folder / "out" / "frame_0000.png").convert("RGB")


def test_pictures_have_the_size_asked_for_and_a_contact_sheet(folder):
    scene = write_scene(folder)
    clothc("sim", scene, "--frames", 20, "--every", 100, "--out", folder / "out", "--png", "--png-every", 5, *SIZE)
    pictures = sorted((folder / "out").glob("frame_*.png"))
    assert [p.name for p in pictures] == [f"frame_{n:04}.png" for n in (0, 5, 10, 15, 20)]
    for path in pictures:
        image = Image.open(path)
        assert image.size == (WIDTH, HEIGHT) and image.mode == "RGB", (path, image)
    # 3 columns and 2 rows at half size, with margins of 6.
    sheet = Image.open(folder / "out" / "contact.png")
    assert sheet.size == (3 * (WIDTH // 2 + 6) + 6, 2 * (HEIGHT // 2 + 6) + 6), sheet.size


def test_pictures_and_animation_are_the_same_bytes_again_and_on_any_threads(folder):
    scene = write_scene(folder, colliders={"spheres": [{"center": [0, 0.5, 0.1], "radius": 0.2}], **GROUND})
    outputs = []
    for name, threads in (("a", 1), ("b", 1), ("c", 2)):
        out = folder / name
        clothc("sim", scene, "--frames", 8, "--every", 100, "--threads", threads, "--out", out, "--png", "--png-every",
               4, "--webp", *SIZE)
        outputs.append({p.name: p.read_bytes() for p in out.iterdir() if p.suffix in (".png", ".webp")})
    assert sorted(outputs[0]) == ["contact.png", "frame_0000.png", "frame_0004.png", "frame_0008.png", "pictured.webp"]
    assert outputs[0] == outputs[1] and outputs[0] == outputs[2]


def durations(path):
    image = Image.open(path)
    assert image.size == (WIDTH, HEIGHT) and image.format == "WEBP", image
    result = []
    for frame in range(image.n_frames):
        image.seek(frame)
        image.load()
        result.append(image.info["duration"])
    return result


def test_an_animation_plays_at_the_scenes_speed(folder):
    falling = {"axis_v": [0, 0, 1]}
    files = clothc_json("sim", write_scene(folder, sheet=falling), "--frames", 30, "--every", 100, "--out", folder,
                        "--webp", *SIZE)["files"]
    assert str(folder / "pictured.webp") in files and not list(folder.glob("*.png"))
    # Frames 0, 2 .. 30 at 60 frames per second.
    shown = durations(folder / "pictured.webp")
    assert len(shown) == 16 and sum(shown) == 533 and set(shown) <= {33, 34}, shown
    clothc("sim", write_scene(folder, name="few", sheet=falling), "--frames", 30, "--every", 100, "--out", folder, "--webp",
           "--webp-every", 10, *SIZE)
    shown = durations(folder / "few.webp")
    assert len(shown) == 4 and sum(shown) == 667, shown


def test_an_animation_of_what_stands_still_is_one_picture(folder):
    scene = write_scene(folder, sheet={"rows": 2, "height": 0.1}, pins=[{"highest": 1}])
    clothc("sim", scene, "--frames", 30, "--every", 100, "--out", folder, "--webp", *SIZE)
    image = Image.open(folder / "pictured.webp")
    assert image.size == (WIDTH, HEIGHT) and image.n_frames == 1, image


def test_the_last_image_of_an_animation_is_the_last_picture(folder):
    clothc("sim", write_scene(folder, sheet={"axis_v": [0, 0, 1]}), "--frames", 20, "--every", 100, "--out", folder,
           "--webp", "--png", "--png-every", 20, *SIZE)
    animation = Image.open(folder / "pictured.webp")
    animation.seek(animation.n_frames - 1)
    shown, wanted = animation.convert("RGB"), Image.open(folder / "frame_0020.png").convert("RGB")
    errors = [abs(a - b) for p, q in zip(shown.getdata(), wanted.getdata()) for a, b in zip(p, q)]
    assert sum(errors) / len(errors) < 3, sum(errors) / len(errors)


def test_a_spheres_shadow_on_the_ground_is_darker_than_lit_ground(folder):
    eye, target = (0, 2.5, 4), (0, 0, 0)
    center, radius = (0, 0.6, 0), 0.35
    colliders = {"spheres": [{"center": center, "radius": radius}], **GROUND}
    scene = write_scene(folder, eye, target, colliders=colliders, sheet={"origin": [-0.5, 9, -9]})
    image = frame_zero(folder, scene)
    # The sun shines from the left, from above and from behind the camera.
    right, _, forward = camera_axes(eye, target)
    sun = unit([-0.75 * r + 0.95 * u - 0.45 * f for r, u, f in zip(right, (0, 1, 0), forward)])
    # Where the ray through the centre meets y = 0.
    foot = [c - s * center[1] / sun[1] for c, s in zip(center, sun)]
    shadow = brightness(image, pixel_of(foot, eye, target))
    for dx, dz in ((1.1, 0.4), (-1.6, 0), (0, 1.2)):
        lit = brightness(image, pixel_of((foot[0] + dx, 0, foot[2] + dz), eye, target))
        assert shadow < 0.7 * lit, (shadow, lit, dx, dz)
    assert brightness(image, pixel_of(center, eye, target)) != shadow


def test_a_tapered_capsule_is_drawn_where_it_is(folder):
    eye, target, fov = (0, 1, 6), (0, 1, 0), 20
    # The capsule faces the camera.
    start, end, radii = (-0.7, 0.7, 0), (0.8, 1.3, 0), (0.35, 0.15)
    capsule = {"from": start, "to": end, "radii": radii}
    away = {"origin": [-0.5, 30, -9]}
    with_capsule, without = (
        frame_zero(folder, write_scene(folder, eye, target, fov, {"capsules": capsules}, sheet=away))
        for capsules in ([capsule], []))
    axis = minus(end, start)
    length = math.sqrt(dot(axis, axis))
    along, across = unit(axis), (-axis[1] / length, axis[0] / length, 0)
    # Sine of the angle between the capsule's side and its axis.
    sine = (radii[0] - radii[1]) / length
    cosine = math.sqrt(1 - sine * sine)
    # Centre, radius and direction of the outline.
    rim = [(start, radii[0], [-a for a in along]), (end, radii[1], along)]
    for t in (0, 0.25, 0.5, 0.75, 1):
        centre, radius = [s + t * a for s, a in zip(start, axis)], radii[0] + t * (radii[1] - radii[0])
        for side in (1, -1):
            rim.append((centre, radius, [cosine * side * n + sine * a for n, a in zip(across, along)]))
    # In m: three pixels.
    margin = 0.035
    for centre, radius, direction in rim:
        inside, outside = ([c + r * d for c, d in zip(centre, direction)] for r in (radius - margin, radius + margin))
        for point, is_drawn in ((centre, True), (inside, True), (outside, False)):
            pixel = pixel_of(point, eye, target, fov)
            assert (with_capsule.getpixel(pixel) != without.getpixel(pixel)) == is_drawn, (point, pixel, is_drawn)


def test_ellipsoids_boxes_and_meshes_are_drawn_where_they_are(folder):
    eye, target, fov = (0, 1, 6), (0, 1, 0), 20
    turn = {"axis": [0, 0, 1], "degrees": 30}
    along, across = (math.cos(math.pi / 6), 0.5, 0), (-0.5, math.cos(math.pi / 6), 0)
    # A pyramid whose base faces the camera.
    corners = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (0, 0, -1)]
    faces = [(1, 2, 3, 4), (2, 1, 5), (3, 2, 5), (4, 3, 5), (1, 4, 5)]
    (folder / "pyramid.obj").write_text("".join("v %g %g %g\n" % p for p in corners)
                                        + "".join("f " + " ".join(map(str, f)) + "\n" for f in faces))
    solids = {
        "ellipsoids": {"center": [0, 1, 0], "rotation": turn, "radii": [0.6, 0.3, 0.3]},
        "boxes": {"center": [0, 1, 0], "rotation": turn, "half_extents": [0.6, 0.3, 0.01]},
        "triangles": {"file": "pyramid.obj", "scale": 0.5, "rotation": turn, "translation": [0, 1, 0]},
    }
    sizes = {"ellipsoids": (0.6, 0.3), "boxes": (0.6, 0.3), "triangles": (0.5, 0.5)}
    away = {"origin": [-0.5, 30, -9]}
    without = frame_zero(folder, write_scene(folder, eye, target, fov, {"spheres": []}, sheet=away))
    for kind, solid in solids.items():
        picture = frame_zero(folder, write_scene(folder, eye, target, fov, {kind: [solid]}, sheet=away))
        for u, v in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)):
            for part in (0.9, 1.1):
                inside = part * (math.hypot(u, v) if kind == "ellipsoids" else max(abs(u), abs(v))) < 1
                offset = [part * (u * sizes[kind][0] * a + v * sizes[kind][1] * b) for a, b in zip(along, across)]
                pixel = pixel_of((offset[0], 1 + offset[1], 0), eye, target, fov)
                drawn = picture.getpixel(pixel) != without.getpixel(pixel)
                assert drawn == inside, (kind, u, v, part, pixel)


def test_a_sheet_is_lit_from_both_sides_and_paler_behind(folder):
    middle = (0, 0.7, 0)
    front, back = (frame_zero(folder, write_scene(folder, (0, 0.9, z), middle)).getpixel((WIDTH // 2, HEIGHT // 2))
                   for z in (3, -3))
    for colour in (front, back):
        assert colour[0] > 60 and colour[0] > 1.3 * colour[1], (front, back)
    assert front != back, front


def test_an_interrupt_leaves_an_animation_that_can_be_read(folder):
    scene = write_scene(folder)
    command = [sys.argv[1], "sim", scene, "--frames", 100000, "--every", 100000, "--out", folder, "--webp", *SIZE]
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (folder / "pictured.webp.partial").exists() and process.poll() is None:
        time.sleep(0.02)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 1 and "interrupted after" in stderr, stderr
    shown = durations(folder / "pictured.webp")
    assert 1 <= len(shown) < 50000 and not list(folder.glob("*.partial")), len(shown)


def test_pictures_need_a_folder(folder):
    assert "--webp needs a folder" in clothc("sim", write_scene(folder), "--webp", exit_code=2).stderr


run_tests(dict(globals()))
