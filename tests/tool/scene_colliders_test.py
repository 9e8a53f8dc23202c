"""Colliders and collision settings in scene files: ellipsoids, boxes, meshes and their signed distance fields, world
space, and refused input."""
import copy
import json
import math

from running import clothc, clothc_json, run_tests

# Faces upwards and is 2 m wide: two triangles at y = 0, and a quad beside them.
PLATE = "v -1 0 -1\nv -1 0 1\nv 0 0 1\nv 0 0 -1\nv 1 0 1\nv 1 0 -1\nf 1 2 3\nf 1 3 4\nf 4 3 5 6\n"
# A solid of 2 m x 0.5 m x 2 m with its top at y = 0.
SLAB = "".join(f"v {x} {y} {z}\n" for y in (0, -0.5) for x, z in ((-1, -1), (-1, 1), (1, 1), (1, -1))) + \
    "f 1 2 3 4\nf 8 7 6 5\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n"
SHEET = {"columns": 21, "rows": 21, "width": 0.8, "height": 0.8, "origin": [-0.4, 0.3, -0.4], "axis_v": [0, 0, 1]}
CALM = {"solver_frequency": 600, "damping": [0.5, 0.5, 0.5], "friction": 1}
QUARTER = {"axis": [0, 0, 1], "degrees": 90}
COLLIDERS = {
    "ellipsoids": [{"center": [0, 0, 0], "radii": [0.3, 0.2, 0.3]},
                   {"keyframes": [{"frame": 0, "center": [3, 0, 0], "radii": [0.1, 0.1, 0.1]},
                                  {"frame": 2, "center": [4, 0, 0], "rotation": QUARTER, "radii": [0.1, 0.2, 0.1]}]}],
    "boxes": [{"center": [0, -1, 0], "rotation": QUARTER, "half_extents": [0.1, 1, 1], "frame": "lift"}],
    "triangles": [{"file": "plate.obj", "scale": 2, "rotation": {"degrees": 45}, "translation": [0, -2, 0], "reach": 0.5}],
    "signed_distance_fields": [{"file": "slab.obj", "scale": 0.5, "rotation": {"degrees": 45}, "translation": [0, -3, 0],
                                "resolution": 16, "frame": "lift"},
                               {"file": "slab.obj", "scale": 0.5, "resolution": 16,
                                "keyframes": [{"frame": 0, "translation": [0, -4, 0]},
                                              {"frame": 2, "translation": [0, -5, 0], "rotation": {**QUARTER}, "scale": 2}]}],
    "space": "world",
}


def ball(radius=0.25, sectors=48, rings=24):
    """Returns a ball around the origin with triangles and quads that are counter-clockwise when seen from outside."""
    lines = [f"v 0 {radius} 0"]
    for ring in range(1, rings):
        wide, high = radius * math.sin(math.pi * ring / rings), radius * math.cos(math.pi * ring / rings)
        lines += [f"v {wide * math.cos(turn)} {high} {wide * math.sin(turn)}"
                  for turn in (2 * math.pi * sector / sectors for sector in range(sectors))]
    lines.append(f"v 0 {-radius} 0")
    last = len(lines)
    for sector in range(sectors):
        here, there = 2 + sector, 2 + (sector + 1) % sectors
        lines.append(f"f 1 {there} {here}")
        for first in range(0, (rings - 2) * sectors, sectors):
            lines.append(f"f {here + first} {there + first} {there + first + sectors} {here + first + sectors}")
        lines.append(f"f {last} {last - 1 - sectors + sector} {last - 1 - sectors + (sector + 1) % sectors}")
    return "\n".join(lines) + "\n"


def write_scene(folder, colliders, frames=(), cloth_frame=None, parameters=None, **fields):
    (folder / "plate.obj").write_text(PLATE)
    (folder / "slab.obj").write_text(SLAB)
    (folder / "ball.obj").write_text(ball())
    lift = {"name": "lift", "translation": [0, 0, 0]}
    cloth = {"name": "sheet", "mesh": {"sheet": SHEET}, "parameters": {**CALM, **(parameters or {})}, **fields}
    if cloth_frame:
        cloth["frame"] = cloth_frame
    path = folder / "scene.json"
    path.write_text(json.dumps({"frames": 120, "coordinate_frames": list(frames) or [lift], "cloths": [cloth],
                                "colliders": colliders}, indent=1))
    return path


def positions_at(folder, frame):
    lines = (folder / "out" / f"sheet_{frame:04}.obj").read_text().splitlines()
    return [tuple(map(float, line.split()[1:4])) for line in lines if line.startswith("v ")]


def simulated(folder, count, *arguments, **fields):
    clothc("sim", write_scene(folder, *arguments, **fields), "--frames", count, "--every", count, "--out", folder / "out")
    return positions_at(folder, count)


def hash_of(folder, *arguments, **fields):
    return clothc_json("sim", write_scene(folder, *arguments, **fields), "--frames", 30)["hash"]


def test_every_field_is_read(folder):
    for fields in ({}, {"virtual_particles_per_triangle": 4},
                   {"parameters": {"continuous_collision": True, "contact_margin": 0.01, "collision_mass_scale": 100}}):
        clothc("sim", write_scene(folder, COLLIDERS, **fields), "--frames", 3)


def test_a_sheet_lies_on_the_top_of_a_box_and_of_a_mesh(folder):
    box = {"center": [0, -0.5, 0], "rotation": QUARTER, "half_extents": [0.5, 2, 2]}
    for colliders in ({"boxes": [box]}, {"triangles": [{"file": "plate.obj"}]},
                      {"triangles": [{"file": "plate.obj", "frame": "lift"}]}):
        heights = [p[1] for p in simulated(folder, 120, colliders)]
        assert max(map(abs, heights)) < 1e-3, (colliders, min(heights), max(heights))
        margin = [p[1] for p in simulated(folder, 120, colliders, parameters={"contact_margin": 0.05})]
        assert max(abs(y - 0.05) for y in margin) < 1e-3, (colliders, min(margin), max(margin))


def test_a_sheet_lies_on_an_ellipsoid(folder):
    for shape in ({"radii": [0.3, 0.2, 0.25]}, {"rotation": QUARTER, "radii": [0.2, 0.3, 0.25]}):
        points = simulated(folder, 120, {"ellipsoids": [{"center": [0, 0, 0], **shape}]})
        # The size is 1 on the surface.
        sizes = [math.hypot(x / 0.3, y / 0.2, z / 0.25) for x, y, z in points]
        assert min(sizes) > 0.995, min(sizes)
        assert sum(size < 1.01 for size in sizes) > len(sizes) / 6, "it does not lie on the ellipsoid"


def test_a_sheet_stays_outside_of_the_sdf_of_a_ball(folder):
    for resolution in (24, 48, 64):
        cell = 0.5 / (resolution - 5)
        field = {"file": "ball.obj", "resolution": resolution}
        points = simulated(folder, 120, {"signed_distance_fields": [field]})
        distances = [math.dist(p, (0, 0, 0)) for p in points]
        assert min(distances) > 0.25 - cell, (resolution, min(distances))
        assert sum(distance < 0.25 + cell for distance in distances) > len(points) / 6, "it does not lie on the ball"
        assert abs(max(p[1] for p in points) - 0.25) < cell, "it does not hang over the top"
    # The second margin is wider than two cells.
    for margin in (0.01, 0.1):
        field = {"file": "ball.obj", "resolution": 32}
        points = simulated(folder, 120, {"signed_distance_fields": [field]}, parameters={"contact_margin": margin})
        assert abs(min(math.dist(p, (0, 0, 0)) for p in points) - 0.25 - margin) < 0.5 / 27, margin


def test_meshes_hold_cloth_as_vertices_written_in_every_update_did(folder):
    # The expected positions are those of six vertices of the sheet after the given number of updates. They were
    # recorded with a version that moved the vertices itself, and again when bend constraints were placed before stretch
    # constraints, when friction started to hold positions, when constraints were listed in rings, and when those at
    # borders came into their colours. Coarse levels came in between.
    rise = {"name": "lift", "keyframes": [{"frame": 0}, {"frame": 40, "translation": [0.04, 0.08, 0.02]}]}
    for count, shape, known in [
        (60, {"translation": [0, -0.05, 0]},
         [(-0.305916, -0.141694, -0.303188), (-0.168245, 0.062799, -0.16652), (-0.000064, 0.199997, -0.000004),
          (0.19294, 0.147155, 0.000051), (0.190881, 0.09566, 0.18495), (0.347835, -0.088458, 0.333825)]),
        (40, {"frame": "lift"},
         [(-0.27798, -0.005745, -0.29741), (-0.132493, 0.187598, -0.151886), (0.033568, 0.329531, 0.016884),
          (0.226977, 0.27702, 0.016365), (0.229102, 0.240066, 0.205627), (0.39928, 0.074815, 0.362015)]),
    ]:
        points = simulated(folder, count, {"triangles": [{"file": "ball.obj", **shape}]}, [rise],
                           parameters={"hierarchy_stiffness": 0})
        for vertex, expected in zip((0, 110, 220, 225, 330, 440), known):
            assert math.dist(points[vertex], expected) < 1e-4, (shape, vertex, points[vertex], expected)


def test_bodies_move_alike_by_keyframes_and_with_a_coordinate_frame(folder):
    turn = {"name": "lift", "keyframes": [{"frame": 0}, {"frame": 40, "translation": [0.05, 0.1, 0]}]}
    keys = [{"frame": 0}, {"frame": 40, "translation": [0.05, 0.1, 0]}]
    for kind, shape in (("triangles", {"file": "ball.obj"}),
                        ("signed_distance_fields", {"file": "ball.obj", "resolution": 24})):
        hashes = [hash_of(folder, {kind: [{**shape, **motion}]}, [turn])
                  for motion in ({"frame": "lift"}, {"keyframes": keys}, {})]
        assert hashes[0] == hashes[1] != hashes[2], (kind, hashes)


def test_bodies_of_one_file_each_stand_where_they_are_put(folder):
    for kind, shape in (("triangles", {}), ("signed_distance_fields", {"resolution": 48})):
        balls = [{"file": "ball.obj", "scale": 0.6, "translation": [x, 0, 0], **shape} for x in (-0.25, 0.25)]
        points = simulated(folder, 120, {kind: balls})
        for x in (-0.25, 0.25):
            distances = [math.dist(p, (x, 0, 0)) for p in points]
            assert min(distances) > 0.135 and sum(distance < 0.16 for distance in distances) > 10, (kind, min(distances))


def test_shapes_on_a_frame_act_as_those_given_in_the_scene(folder):
    lift = {"name": "lift", "keyframes": [{"frame": 0, "translation": [0, 0.125, 0]}]}
    for kind, shape in (("ellipsoids", {"center": [0, 0, 0], "radii": [0.3, 0.2, 0.3]}),
                        ("boxes", {"center": [0, -0.25, 0], "half_extents": [0.5, 0.5, 0.5]}),
                        ("triangles", {"file": "plate.obj"}),
                        ("signed_distance_fields", {"file": "slab.obj", "resolution": 32})):
        position = "translation" if "file" in shape else "center"
        height = shape.get("center", [0, 0, 0])[1] + 0.125
        shapes = [{**shape, "frame": "lift"}, {**shape, position: [0, height, 0]}, shape]
        hashes = [hash_of(folder, {kind: [s]}, [lift]) for s in shapes]
        assert hashes[0] == hashes[1] != hashes[2], (kind, hashes)


def test_keyframes_and_frames_carry_the_cloth(folder):
    lift = {"name": "lift", "keyframes": [{"frame": 60}, {"frame": 120, "translation": [0, 1, 0]}]}
    size = {"half_extents": [2, 0.25, 2]}
    for colliders in ({"boxes": [{"keyframes": [{"frame": 60, "center": [0, 0, 0], **size},
                                                {"frame": 120, "center": [0, 1, 0], **size}]}]},
                      {"boxes": [{"center": [0, 0, 0], **size, "frame": "lift"}]},
                      {"triangles": [{"file": "plate.obj", "translation": [0, 0.25, 0], "frame": "lift"}]},
                      {"triangles": [{"file": "plate.obj",
                                      "keyframes": [{"frame": 60, "translation": [0, 0.25, 0], "scale": 2},
                                                    {"frame": 120, "translation": [0, 1.25, 0]}]}]},
                      {"signed_distance_fields": [{"file": "slab.obj", "translation": [0, 0.25, 0], "frame": "lift"}]},
                      # The solid grows upwards out of y = -1.25.
                      {"signed_distance_fields": [{"file": "slab.obj", "scale": 2,
                                                   "keyframes": [{"frame": 60, "translation": [0, 0.25, 0]},
                                                                 {"frame": 120, "translation": [0, 1.25, 0],
                                                                  "rotation": {"degrees": 90}, "scale": 2}]}]}):
        heights = [p[1] for p in simulated(folder, 150, colliders, [lift])]
        assert max(abs(y - 1.25) for y in heights) < 0.01, (colliders, min(heights), max(heights))


def test_world_space_and_local_space_give_the_same_positions(folder):
    cart = {"name": "cart", "axis": [0, 1, 0],
            "keyframes": [{"frame": 0}, {"frame": 60, "translation": [0.2, 0.1, 0], "degrees": 20}]}
    numb = {name: [0, 0, 0] for name in ("linear_inertia", "angular_inertia", "centrifugal_inertia")}
    for colliders in ({"planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}]},
                      {"boxes": [{"center": [0, -1, 0], "half_extents": [4, 1, 4]}]},
                      {"triangles": [{"file": "plate.obj", "scale": 2}]},
                      {"signed_distance_fields": [{"file": "slab.obj", "scale": 2, "resolution": 48}]}):
        for space in ("local", "world"):
            points = simulated(folder, 90, {**colliders, "space": space}, [cart], "cart", numb)
            assert all(abs(p[1]) < 2e-3 for p in points), (colliders, space)


def test_a_thin_fast_sphere_is_met_with_continuous_collision_only(folder):
    ball = {"spheres": [{"keyframes": [{"frame": 1, "center": [0, 2.05, 0], "radius": 0.05},
                                       {"frame": 2, "center": [0, -3, 0], "radius": 0.05}]}]}
    fields = {"gravity": [0, 0, 0]}
    untouched = simulated(folder, 2, ball, parameters=fields)
    assert min(p[1] for p in untouched) > 0.299, "the sphere does not jump over the sheet"
    met = simulated(folder, 2, ball, parameters={**fields, "continuous_collision": True})
    assert min(p[1] for p in met) < 0.2, "the sphere goes through the sheet"


def test_virtual_particles_and_the_mass_scale_make_a_difference(folder):
    ball = {"spheres": [{"center": [0.02, 0.1, 0.02], "radius": 0.15}]}
    plain = hash_of(folder, ball)
    assert plain != hash_of(folder, ball, virtual_particles_per_triangle=1)
    assert plain != hash_of(folder, ball, parameters={"collision_mass_scale": 1000})
    assert plain == hash_of(folder, ball, virtual_particles_per_triangle=0,
                            parameters={"continuous_collision": False, "contact_margin": 0})


def refused(folder, path, value):
    """Returns the message for COLLIDERS with one field changed; path has the form 'boxes.0.center'."""
    colliders = copy.deepcopy(COLLIDERS)
    *outer, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    target = colliders
    for part in outer:
        target = target[part]
    target[last] = value
    return clothc("sim", write_scene(folder, colliders), exit_code=2).stderr


def test_shapes_are_checked(folder):
    keyframes, fields = "ellipsoids.1.keyframes", "signed_distance_fields."
    (folder / "line.obj").write_text("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")
    for path, value, words in [
        ("ellipsoids.0", {"center": [0, 0, 0]}, ["colliders.ellipsoids[0] is", "'radii' is missing"]),
        ("ellipsoids.0.radii", 1, ["ellipsoids[0].radii is 1", "three numbers"]),
        ("ellipsoids.0.radii", [1, -1, 1], ["ellipsoids[0].radii[1] is -1", "0 .. 1e+06"]),
        ("ellipsoids.0.radius", 1, ["ellipsoids[0].radius is 1", "did you mean 'radii'?"]),
        ("ellipsoids.0.rotation", [0, 0, 0, 1], ["ellipsoids[0].rotation is [0,0,0,1]", "object"]),
        ("ellipsoids.0.rotation", {"axis": [1, 0, 0]}, ["ellipsoids[0].rotation", "'degrees' is missing"]),
        ("ellipsoids.0.rotation", {"axis": [0, 0, 0], "degrees": 1}, ["rotation.axis is [0,0,0]", "not zero"]),
        ("ellipsoids.0.rotation", {"degrees": 1, "angle": 2}, ["rotation.angle is 2", "axis, degrees"]),
        (keyframes, [], ["ellipsoids[1].keyframes is []", "at least 1"]),
        (keyframes + ".1.frame", 0, ["ellipsoids[1].keyframes[1].frame is 0", "after the one before"]),
        (keyframes + ".1.rotation.degrees", 180, ["ellipsoids[1].keyframes[1] is", "half a turn"]),
        (keyframes + ".1.half_extents", [1, 1, 1], ["keyframes[1].half_extents", "unknown field"]),
        ("ellipsoids.1.center", [0, 0, 0], ["ellipsoids[1].center", "known are keyframes, frame"]),
        ("boxes.0.half_extents", [1, 1], ["boxes[0].half_extents is [1,1]", "three numbers"]),
        ("boxes.0.radii", [1, 1, 1], ["boxes[0].radii", "unknown field"]),
        ("boxes.0.frame", "lit", ["boxes[0].frame is \"lit\"", "did you mean 'lift'?"]),
        ("triangles.0", {}, ["triangles[0] is {}", "'file' is missing"]),
        ("triangles.0.file", "", ["triangles[0].file is \"\"", "relative to the scene file"]),
        ("triangles.0.file", "missing.obj", ["missing.obj", "cannot read"]),
        ("triangles.0.file", "scene.json", ["scene.json", ".obj"]),
        ("triangles.0.scale", 0, ["triangles[0].scale is 0", "1e-06 .. 1e+06"]),
        ("triangles.0.reach", 0, ["triangles[0].reach is 0", "1e-06 .. 1e+09"]),
        ("triangles.0.keyframes", [], ["triangles[0].rotation", "known are file, scale, keyframes, reach, frame"]),
        ("triangles.0", {"file": "plate.obj", "keyframes": []}, ["triangles[0].keyframes is []", "at least 1"]),
        ("triangles.0.resolution", 64, ["triangles[0].resolution is 64", "unknown field", "reach"]),
        (fields + "0", {"resolution": 16}, ["signed_distance_fields[0] is", "'file' is missing"]),
        (fields + "0.file", "plate.obj", ["fields[0].file is \"plate.obj\"", "closed body", "\"triangles\""]),
        (fields + "0.file", "line.obj", ["fields[0].file is \"line.obj\""]),
        (fields + "0.file", "missing.obj", ["missing.obj", "cannot read"]),
        (fields + "0.resolution", 4, ["fields[0].resolution is 4", "8 .. 512"]),
        (fields + "0.resolution", 64.5, ["fields[0].resolution is 64.5", "whole number"]),
        (fields + "0.reach", 0.1, ["fields[0].reach is 0.1", "unknown field", "resolution"]),
        (fields + "0.resolutoin", 32, ["did you mean 'resolution'?"]),
        (fields + "0.frame", "lit", ["fields[0].frame is \"lit\"", "did you mean 'lift'?"]),
        (fields + "1.translation", [0, 0, 0], ["fields[1].translation", "known are file, scale, keyframes, resolution"]),
        (fields + "1.keyframes.1.frame", 0, ["fields[1].keyframes[1].frame is 0", "after the one before"]),
        (fields + "1.keyframes.1.scale", 0, ["fields[1].keyframes[1].scale is 0", "0.001 .. 1000"]),
        (fields + "1.keyframes.1.rotation.degrees", 180, ["fields[1].keyframes[1] is", "half a turn"]),
        (fields + "1.keyframes.1.file", "plate.obj", ["fields[1].keyframes[1].file", "unknown field"]),
        ("space", "cloth", ["colliders.space is \"cloth\"", "local or world"]),
    ]:
        message = refused(folder, path, value)
        for word in words:
            assert word in message, f"no '{word}' in {message}"


def test_how_cloths_collide_is_checked(folder):
    for fields, words in [
        ({"parameters": {"continuous_collision": 1}}, ["parameters.continuous_collision is 1", "true or false"]),
        ({"parameters": {"continous_collision": True}}, ["did you mean 'continuous_collision'?"]),
        ({"parameters": {"contact_margin": -1}}, ["parameters.contact_margin is -1", "0 .. 1e+06"]),
        ({"parameters": {"collision_mass_scale": -1}}, ["parameters.collision_mass_scale is -1", "0 .. 1e+12"]),
        ({"virtual_particles_per_triangle": 2}, ["virtual_particles_per_triangle is 2", "0, 1, 4, 9"]),
        ({"virtual_particles_per_triangle": 81}, ["virtual_particles_per_triangle is 81", "0 .. 64"]),
    ]:
        message = clothc("sim", write_scene(folder, COLLIDERS, **fields), exit_code=2).stderr
        for word in ["scene.json:", *words]:
            assert word in message, f"no '{word}' in {message}"


run_tests(dict(globals()))
