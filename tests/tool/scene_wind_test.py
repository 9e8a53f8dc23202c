"""Wind in scenes, and cloths in coordinate frames, compared with closed forms and with the same cloth in the world."""
import json
import math

from running import PROJECT, clothc, clothc_json, run_tests

SHEET = {"columns": 6, "rows": 6, "width": 1, "height": 1}


def write_scene(folder, name="scene.json", frames=(), colliders=None, wind=None, sheet=None, rate=60, **cloth):
    scene = {"frame_rate": rate, "coordinate_frames": list(frames), "colliders": colliders or {},
             "cloths": [{"name": "cloth", "mesh": {"sheet": {**SHEET, **(sheet or {})}}, **cloth}]}
    if wind:
        scene["wind"] = wind
    path = folder / name
    path.write_text(json.dumps(scene))
    return path


def positions(folder, frame):
    lines = (folder / "out" / f"cloth_{frame:04}.obj").read_text().splitlines()
    return [tuple(map(float, line.split()[1:4])) for line in lines if line.startswith("v ")]


def simulated(folder, count, **scene):
    """Returns the vertices at the end of updates 0 and count, in scene coordinates."""
    clothc("sim", write_scene(folder, **scene), "--frames", count, "--out", folder / "out", "--every", count)
    return positions(folder, 0), positions(folder, count)


def largest_distance(a, b):
    assert len(a) == len(b)
    return max(map(math.dist, a, b))


def hash_of(folder, count=12, **scene):
    return clothc_json("sim", write_scene(folder, **scene), "--frames", count)["hash"]


def test_a_sheet_across_the_wind_comes_to_the_speed_of_the_wind(folder):
    free = {"parameters": {"gravity": [0, 0, 0], "drag_coefficient": 0.02, "fluid_density": 1.2}}
    rising = {"keyframes": [{"frame": 0, "velocity": [0, 0, 2]}, {"frame": 20, "velocity": [0, 0, 3]}]}
    for wind in ({"velocity": [0, 0, 3]}, rising):
        clothc("sim", write_scene(folder, wind=wind, **free), "--frames", 240, "--out", folder / "out", "--every", 60)
        a, b = positions(folder, 180), positions(folder, 240)
        for p, q in zip(a, b):
            # The positions are a second apart. The speed approaches its limit ever more slowly, hence the tolerance.
            assert abs(q[2] - p[2] - 3) < 0.15, (p, q)
    _, still = simulated(folder, 60, wind={"velocity": [0, 0, 3]},
                         parameters={"gravity": [0, 0, 0], "drag_coefficient": 0.02, "fluid_density": 0})
    assert all(p[2] == 0 for p in still), "without air there is no wind"


def test_a_gust_adds_its_velocity_times_a_wave(folder):
    fields = {"parameters": {"drag_coefficient": 0.1, "lift_coefficient": 0.1}, "pins": [{"rows": [0]}]}
    plain = hash_of(folder, wind={"velocity": [3, 0, 1]}, **fields)
    own = {**fields, "parameters": {**fields["parameters"], "wind_velocity": [3, 0, 1]}}
    assert plain == hash_of(folder, **own)
    for wind in ({"keyframes": [{"frame": 4, "velocity": [3, 0, 1]}]},
                 {"velocity": [1, 0, 0], "gusts": [{"velocity": [2, 0, 1], "frequency": 0, "phase": 0.25}]},
                 {"velocity": [5, 0, 2], "gusts": [{"velocity": [2, 0, 1], "frequency": 60, "phase": -0.25}]}):
        assert hash_of(folder, wind=wind, **fields) == plain, wind
    for wind in ({"velocity": [3, 0, 1], "gusts": [{"velocity": [1, 0, 0], "frequency": 2}]},
                 {"keyframes": [{"frame": 4, "velocity": [3, 0, 1]}, {"frame": 5, "velocity": [3, 0, 2]}]},
                 {"velocity": [3, 0, 2]}):
        assert hash_of(folder, wind=wind, **fields) != plain, wind


def test_a_cloth_in_a_frame_that_stands_is_where_the_frame_puts_it(folder):
    frame = {"name": "stand", "translation": [3, 2, 1], "axis": [0, 1, 0], "degrees": 90}
    fields = {"pins": [{"rows": [0]}], "parameters": {"gravity": [0, -9.81, 0], "drag_coefficient": 0.1}}
    begin, end = simulated(folder, 30, frames=[frame], wind={"velocity": [1, 0, 0.5]}, frame="stand", **fields)
    # A quarter turn about y takes x to -z and z to x, so the wind in the frame is (-0.5, 0, 1).
    plain_begin, plain_end = simulated(folder, 30, wind={"velocity": [-0.5, 0, 1]}, **fields)
    for local, world in ((plain_begin, begin), (plain_end, end)):
        assert largest_distance([(3 + z, 2 + y, 1 - x) for x, y, z in local], world) < 1e-4
    assert largest_distance(begin, end) > 0.01, "it does not move"


def test_a_cloth_in_a_moving_frame_moves_as_one_whose_pins_the_frame_carries(folder):
    # Pins that are carried jump from update to update, so the two results approach each other as updates become
    # shorter.
    moves = {"name": "cart", "smooth": True, "axis": [0, 1, 0], "keyframes": [
        {"frame": 0}, {"frame": 480, "translation": [0, 0, 0.4], "degrees": 40},
        {"frame": 960, "translation": [0.1, 0, 0.5], "degrees": 120}]}
    fields = {"frames": [moves], "rate": 960, "parameters": {"solver_frequency": 1920, "stiffness_frequency": 100}}
    _, carried = simulated(folder, 640, pins=[{"rows": [0], "frame": "cart"}], **fields)
    _, local = simulated(folder, 640, pins=[{"rows": [0]}], frame="cart", **fields)
    assert largest_distance(carried, local) < 0.03, largest_distance(carried, local)
    _, standing = simulated(folder, 640, pins=[{"rows": [0]}], **fields)
    assert largest_distance(standing, local) > 0.3
    for inertia in ("linear_inertia", "angular_inertia", "centrifugal_inertia"):
        numb = {**fields, "parameters": {**fields["parameters"], inertia: [0, 0, 0]}}
        _, calm = simulated(folder, 640, pins=[{"rows": [0]}], frame="cart", **numb)
        assert largest_distance(calm, local) > 0.01, f"{inertia} makes no difference"


def test_pins_on_other_frames_and_colliders_of_the_scene_keep_their_positions(folder):
    cart = {"name": "cart", "keyframes": [{"frame": 0, "translation": [0, 1, 0]},
                                          {"frame": 60, "translation": [1, 1, 0], "degrees": 30}]}
    post = {"name": "post"}
    pins = [{"corners": ["top_left"], "frame": "post"}]
    begin, end = simulated(folder, 60, frames=[cart, post], frame="cart", pins=pins)
    assert math.dist(begin[0], end[0]) < 1e-5, end[0]
    ground = {"planes": [{"point": [0, 0.3, 0], "normal": [0, 1, 0]}]}
    flat = {"axis_v": [0, 0, 1]}
    _, landed = simulated(folder, 60, frames=[cart], frame="cart", colliders=ground, sheet=flat)
    assert all(abs(p[1] - 0.3) < 1e-4 for p in landed), landed
    lift = {"planes": [{"point": [0, -0.3, 0], "normal": [0, 1, 0], "frame": "cart"}]}
    rising = {"name": "cart", "keyframes": [{"frame": 0}, {"frame": 60, "translation": [0, 2, 0]}]}
    _, lifted = simulated(folder, 60, frames=[rising], frame="cart", colliders=lift, sheet=flat)
    assert all(abs(p[1] - 1.7) < 1e-4 for p in lifted), lifted


def test_teleports_are_not_felt(folder):
    def moves(jump):
        return {"name": "cart", "keyframes": [
            {"frame": 0}, {"frame": 19, "translation": [0.19, 0, 0]}, {"frame": 20, "translation": [0.19 + jump, 0, 0]},
            {"frame": 40, "translation": [0.39 + jump, 0, 0]}]}

    fields = {"frame": "cart", "pins": [{"rows": [0]}]}
    _, smooth = simulated(folder, 40, frames=[moves(0)], teleports=[20], **fields)
    _, jumped = simulated(folder, 40, frames=[moves(8)], teleports=[20], **fields)
    assert largest_distance([(x + 8, y, z) for x, y, z in smooth], jumped) < 1e-4
    _, torn = simulated(folder, 40, frames=[moves(8)], **fields)
    assert largest_distance(jumped, torn) > 0.1


def test_every_format_has_scene_coordinates(folder):
    frame = {"name": "stand", "translation": [3, 2, 1]}
    scene = write_scene(folder, frames=[frame], frame="stand", pins=[{"rows": [0]}])
    for kind, name in (("pc2", "cloth.obj"), ("obj", "cloth_0000.obj")):
        clothc("sim", scene, "--frames", 1, "--out", folder / kind, "--format", kind)
        lines = (folder / kind / name).read_text().splitlines()
        first = next(line for line in lines if line.startswith("v "))
        assert math.dist(tuple(map(float, first.split()[1:4])), (3, 2, 1)) < 1e-6, first


def test_the_banner_depends_on_nothing_but_the_scene(folder):
    banner = PROJECT / "scenes" / "banner.json"
    report = clothc_json("sim", banner, "--frames", 150)
    assert report["finite"] and report["max_stretch"] < 0.5, report["max_stretch"]
    isas = next(d for d in clothc_json("info")["devices"] if d["backend"] == "cpu")["isas"]
    hashes = {clothc_json("sim", banner, "--frames", 10, "--isa", isa, "--schedule", schedule)["hash"]
              for isa in (isas[0], isas[-1]) for schedule in ("cloth", "pass")}
    assert len(hashes) == 1, hashes


run_tests(dict(globals()))
