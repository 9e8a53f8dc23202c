"""Coordinate frames of scenes: the positions to which they carry pins and colliders, compared with closed forms; and
how deep a cloth lies in a capsule."""
import json
import math

from running import clothc, clothc_json, run_tests


def write_scene(folder, frames=(), colliders=None, **cloth):
    """Writes a scene of one cloth, by default a square of 1 m with its top left vertex at (1, 0, 0)."""
    sheet = {"columns": 2, "rows": 2, "width": 1, "height": 1, "origin": [1, 0, 0]}
    path = folder / "scene.json"
    path.write_text(json.dumps({
        "coordinate_frames": list(frames),
        "cloths": [{"name": "cloth", "mesh": {"sheet": sheet}, **cloth}],
        "colliders": colliders or {},
    }))
    return path


def positions_at(folder, frame):
    lines = (folder / "out" / f"cloth_{frame:04}.obj").read_text().splitlines()
    return [tuple(map(float, line.split()[1:4])) for line in lines if line.startswith("v ")]


def path_of_a_pin(folder, frames, carrier, count):
    """Returns the positions of the top left vertex, pinned to the frame carrier, at the end of updates 0 .. count."""
    scene = write_scene(folder, frames, pins=[{"rows": [0], "frame": carrier}], parameters={"gravity": [0, 0, 0]})
    clothc("sim", scene, "--frames", count, "--out", folder / "out")
    return [positions_at(folder, frame)[0] for frame in range(count + 1)]


def assert_near(seen, wanted, what, tolerance=2e-6):
    assert math.dist(seen, wanted) < tolerance, f"{what}: {seen}, want {wanted}"


def test_a_pin_on_a_turning_frame_runs_in_a_circle(folder):
    wheel = {"name": "wheel", "translation": [0.5, 0.25, 0], "axis": [0, 0, 2],
             "keyframes": [{"frame": 0}, {"frame": 40, "degrees": 800}]}
    for frame, p in enumerate(path_of_a_pin(folder, [wheel], "wheel", 50)):
        a = math.radians(20 * min(frame, 40))
        assert_near(p, (0.5 + 0.5 * math.cos(a) + 0.25 * math.sin(a), 0.25 + 0.5 * math.sin(a) - 0.25 * math.cos(a), 0),
                    f"frame {frame}")


def test_pins_begin_where_the_mesh_has_them_wherever_their_frame_is(folder):
    tilted = {"name": "tilted", "translation": [3, 4, 5], "axis": [1, 2, 3], "degrees": 77}
    for p in path_of_a_pin(folder, [tilted], "tilted", 2):
        assert_near(p, (1, 0, 0), "a frame that stands")


def test_a_turn_about_the_diagonal_exchanges_the_axes(folder):
    diagonal = {"name": "diagonal", "axis": [1, 1, 1], "keyframes": [{"frame": 0}, {"frame": 2, "degrees": 240}]}
    path = path_of_a_pin(folder, [diagonal], "diagonal", 2)
    for seen, wanted in zip(path, [(1, 0, 0), (0, 1, 0), (0, 0, 1)]):
        assert_near(seen, wanted, "the diagonal")


def test_frames_follow_their_parents_whatever_the_order_in_the_file(folder):
    frames = [
        {"name": "hand", "parent": "elbow", "translation": [0, 0.5, 0]},
        {"name": "elbow", "parent": "shoulder", "translation": [2, 0, 0], "axis": [0, 0, 1],
         "keyframes": [{"frame": 0}, {"frame": 10, "degrees": -90}]},
        {"name": "shoulder", "axis": [0, 0, 1],
         "keyframes": [{"frame": 0}, {"frame": 10, "translation": [0, 0, 1], "degrees": 60}]},
    ]
    for frame, p in enumerate(path_of_a_pin(folder, frames, "hand", 10)):
        upper, lower = math.radians(6 * frame), math.radians(6 * frame - 9 * frame)
        # The pin is 1 m towards the shoulder from the elbow.
        assert_near(p, (2 * math.cos(upper) - math.cos(lower), 2 * math.sin(upper) - math.sin(lower), 0.1 * frame),
                    f"frame {frame}")


def test_a_frame_that_repeats_returns_from_its_last_keyframe_to_its_first(folder):
    saw = {"name": "saw", "repeat": 8,
           "keyframes": [{"frame": 2}, {"frame": 6, "translation": [0, 0, 0.4]}]}
    path = path_of_a_pin(folder, [saw], "saw", 40)
    # At frame 0 the frame is half-way back, and the pin is where the mesh has it.
    start = 0.2
    for frame, p in enumerate(path):
        height = 0.1 * abs((frame - 2 + 4) % 8 - 4)
        assert_near(p, (1, 0, height - start), f"frame {frame}")


def test_smooth_frames_pass_their_keyframes_and_begin_and_end_at_rest(folder):
    keys = [(0, 0), (10, 1), (20, 3), (30, 2)]
    swing = {"name": "swing", "smooth": True,
             "keyframes": [{"frame": f, "translation": [0, 0, z]} for f, z in keys]}
    heights = [p[2] for p in path_of_a_pin(folder, [swing], "swing", 32)]
    for frame, height in keys:
        assert abs(heights[frame] - height) < 1e-5, (frame, heights[frame])
    # A cubic with slope 0 at frame 0 and (3 - 0) / 20 at frame 10.
    for frame in range(11):
        s = frame / 10
        wanted = 3 * s**2 - 2 * s**3 + (s**3 - s**2) * 10 * 3 / 20
        assert abs(heights[frame] - wanted) < 1e-5, (frame, heights[frame], wanted)
    assert heights[1] - heights[0] < 0.02 and heights[29] - heights[30] < 0.05 and heights[31] == heights[30]


def test_a_smooth_frame_that_repeats_has_no_seam(folder):
    circle = {"name": "circle", "repeat": 24, "smooth": True, "keyframes": [
        {"frame": 3 * k, "translation": [math.cos(k * math.pi / 4), math.sin(k * math.pi / 4), 0]} for k in range(8)]}
    path = path_of_a_pin(folder, [circle], "circle", 50)
    for frame, p in enumerate(path):
        assert abs(math.dist(p, (0, 0, 0)) - 1) < 0.01, (frame, p)
        if frame >= 24:
            assert_near(p, path[frame - 24], f"frame {frame}")


def test_rotations_about_several_axes_take_the_shorter_arc(folder):
    keys = [{"frame": 0, "axis": [0, 1, 0], "degrees": 0}, {"frame": 4, "axis": [0, 1, 0], "degrees": 270},
            {"frame": 8, "axis": [0, 0, 1], "degrees": 90}]
    path = path_of_a_pin(folder, [{"name": "ball", "keyframes": keys}], "ball", 8)
    half = math.sqrt(0.5)
    assert_near(path[2], (half, 0, half), "45 degrees backwards")
    assert_near(path[4], (0, 0, 1), "270 degrees, which is 90 backwards")
    # Half-way between the rotations by -90 about y and by 90 about z lies the normalised sum of their quaternions.
    w, y, z = (x / math.sqrt(1.5) for x in (2 * half, -half, half))
    w, y, z = (x / math.sqrt(w * w + y * y + z * z) for x in (w, y, z))
    assert_near(path[6], (1 - 2 * (y * y + z * z), 2 * w * z, -2 * w * y), "between the axes")
    assert_near(path[8], (0, 1, 0), "90 degrees")


def test_motion_comes_before_the_frame(folder):
    quarter = {"name": "quarter", "axis": [0, 0, 1], "keyframes": [{"frame": 0}, {"frame": 1, "degrees": 90}]}
    pins = [{"rows": [0], "frame": "quarter", "motion": [{"frame": 0}, {"frame": 1, "translation": [1, 0, 0]}]}]
    clothc("sim", write_scene(folder, [quarter], pins=pins), "--frames", 1, "--out", folder / "out")
    assert_near(positions_at(folder, 1)[0], (0, 2, 0), "moved, then turned")


def test_a_vertex_of_two_groups_of_pins_belongs_to_the_last_one(folder):
    moving = {"corners": ["top_left"], "motion": [{"frame": 0}, {"frame": 1, "translation": [0, 0.5, 0]}]}
    attached = {"vertices": [0], "frame": "high"}
    fixed = {"rows": [0]}
    high = {"name": "high", "keyframes": [{"frame": 0}, {"frame": 1, "translation": [0, 0.25, 0]}]}
    for pins, height in [([moving, fixed], 0), ([attached, fixed], 0), ([moving, attached, fixed], 0),
                         ([fixed, moving], 0.5), ([fixed, moving, attached], 0.25), ([attached, moving], 0.5)]:
        clothc("sim", write_scene(folder, [high], pins=pins), "--frames", 2, "--out", folder / "out")
        assert_near(positions_at(folder, 2)[0], (1, height, 0), f"{pins}")


def test_colliders_on_a_frame_act_as_those_given_in_the_scene(folder):
    lift = {"name": "lift", "keyframes": [{"frame": 0, "translation": [0, -1, 0]}]}
    capsule = {"from": [0, 0, 0], "to": [1, 0, 0], "radius": 0.25}
    plane = {"point": [0, -0.5, 0], "normal": [0, 1, 0]}
    sides = [{"point": [0, 0, 0], "normal": [0, 1, 0]}, {"point": [0, -0.25, 0], "normal": [0, -1, 0]}]
    lower = {**capsule, "from": [0, -1, 0], "to": [1, -1, 0]}
    for kind, attached, fixed in [
        ("spheres", {"center": [0.5, 0, 0], "radius": 0.25}, {"center": [0.5, -1, 0], "radius": 0.25}),
        ("capsules", capsule, lower),
        ("planes", plane, {**plane, "point": [0, -1.5, 0]}),
        ("convexes", {"planes": sides}, {"planes": [{**s, "point": [0, s["point"][1] - 1, 0]} for s in sides]}),
    ]:
        sheet = {"columns": 9, "rows": 9, "width": 1, "height": 1, "origin": [0, -0.7, -0.5], "axis_v": [0, 0, 1]}
        hashes = [clothc_json("sim", write_scene(folder, [lift], {kind: [shape]}, mesh={"sheet": sheet}), "--frames",
                              20)["hash"] for shape in ({**attached, "frame": "lift"}, fixed, {**fixed, "frame": "lift"})]
        assert hashes[0] == hashes[1] != hashes[2], (kind, hashes)


def depth_in_capsule(p, start, end, radii):
    """Returns the depth of p below the surface of the hull of two spheres, for p beside the axis."""
    axis = [b - a for a, b in zip(start, end)]
    size = math.hypot(*axis)
    along = sum((x - a) * d for x, a, d in zip(p, start, axis)) / size
    across = math.sqrt(max(0, math.dist(p, start) ** 2 - along**2))
    sine = (radii[0] - radii[1]) / size
    cosine = math.sqrt(1 - sine**2)
    return radii[0] - (along * sine + across * cosine)


def test_a_cloth_lies_on_the_surface_of_a_capsule(folder):
    sheet = {"columns": 61, "rows": 41, "width": 0.9, "height": 0.6, "origin": [-0.45, 0.25, -0.3], "axis_v": [0, 0, 1]}
    for radii in ([0.2, 0.2], [0.2, 0.12]):
        start, end = [-0.6, 0, 0], [0.6, 0, 0]
        scene = write_scene(folder, [], {"capsules": [{"from": start, "to": end, "radii": radii}]},
                            mesh={"sheet": sheet},
                            parameters={"solver_frequency": 600, "damping": [0.5, 0.5, 0.5], "friction": 1})
        clothc("sim", scene, "--frames", 120, "--out", folder / "out", "--every", 120)
        depths = [depth_in_capsule(p, start, end, radii) for p in positions_at(folder, 120)]
        assert max(depths) < 1e-4, (radii, max(depths))
        assert sum(abs(d) < 0.01 * min(radii) for d in depths) > len(depths) / 3, "it does not lie on the capsule"


def test_a_capsule_that_moves_takes_the_cloth_along(folder):
    sheet = {"columns": 31, "rows": 31, "width": 0.6, "height": 0.6, "origin": [-0.3, 0.25, -0.3], "axis_v": [0, 0, 1]}
    for lift in ({"frame": "lift", "from": [-0.5, 0, 0], "to": [0.5, 0, 0], "radius": 0.2},
                 {"keyframes": [{"frame": 60, "from": [-0.5, 0, 0], "to": [0.5, 0, 0], "radius": 0.2},
                                {"frame": 120, "from": [-0.5, 1, 0], "to": [0.5, 1, 0], "radius": 0.2}]}):
        frame = {"name": "lift", "keyframes": [{"frame": 60}, {"frame": 120, "translation": [0, 1, 0]}]}
        scene = write_scene(folder, [frame], {"capsules": [lift]}, mesh={"sheet": sheet},
                            parameters={"solver_frequency": 600, "damping": [0.5, 0.5, 0.5], "friction": 1})
        clothc("sim", scene, "--frames", 130, "--out", folder / "out", "--every", 130)
        top = max(p[1] for p in positions_at(folder, 130))
        assert abs(top - 1.2) < 0.02, top


def test_a_tube_is_closed_around_and_has_the_radii_that_are_asked_for(folder):
    tube = {"columns": 24, "rows": 5, "radii": [0.2, 0.5], "length": 0.8, "origin": [1, 2, 3],
            "folds": {"count": 6, "depth": 0.05}}
    scene = write_scene(folder, mesh={"tube": tube}, pins=[{"rows": [0, -1]}])
    report = clothc_json("sim", scene, "--frames", 1, "--out", folder / "out")["cloths"][0]["fabric"]
    assert report["vertices"] == 24 * 5 and report["triangles"] == 2 * 24 * 4 and report["components"] == 1
    assert report["pinned"] == 48
    points = positions_at(folder, 0)
    for column in range(24):
        wave = math.sin(2 * math.pi * 6 * column / 24)
        for row, radius, y in ((0, 0.2, 2), (4, 0.5 + 0.05 * wave, 1.2)):
            x, height, z = points[24 * row + column]
            assert abs(math.hypot(x - 1, z - 3) - radius) < 2e-4 and abs(height - y) < 1e-6, (row, column)
    faces = [line.split()[1:] for line in (folder / "out" / "cloth_0000.obj").read_text().splitlines()
             if line.startswith("f ")]
    edges = {}
    for face in faces:
        corners = [int(corner.split("/")[0]) for corner in face]
        for a, b in zip(corners, corners[1:] + corners[:1]):
            edges[a, b] = edges.get((a, b), 0) + 1
    a, b, c = (points[int(corner.split("/")[0]) - 1] for corner in faces[0][:3])
    u, v = ([q - p for p, q in zip(a, end)] for end in (b, c))
    outwards = (u[1] * v[2] - u[2] * v[1]) * (a[0] - 1) + (u[0] * v[1] - u[1] * v[0]) * (a[2] - 3)
    assert outwards > 0, "faces look inwards"
    assert all(count == 1 for count in edges.values()), "faces disagree about which side is outside"
    assert sum((b, a) not in edges for a, b in edges) == 2 * 24, "only the two ends are open"


run_tests(dict(globals()))
