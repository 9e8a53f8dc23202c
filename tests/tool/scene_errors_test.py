"""Scene files are read strictly: errors are refused with file, line, field, the value seen and the remedy."""
import copy
import json

from running import PROJECT, clothc, run_tests

SCENE = {
    "frames": 2,
    "coordinate_frames": [
        {"name": "hips", "axis": [0, 0, 1], "repeat": 4, "smooth": True,
         "keyframes": [{"frame": 0}, {"frame": 2, "translation": [0.1, 0, 0], "degrees": 20}]},
        {"name": "knee", "parent": "hips", "translation": [0, -0.4, 0], "degrees": 5},
    ],
    "cloths": [{
        "name": "sheet",
        "mesh": {"sheet": {"columns": 4, "rows": 4, "width": 1, "height": 1}},
        "pins": [{"rows": [0], "motion": [{"frame": 0}, {"frame": 2, "translation": [0.1, 0, 0]}], "frame": "hips"}],
        "gravity_keyframes": [{"frame": 0, "gravity": [0, -9.81, 0]}, {"frame": 2, "gravity": [1, -9, 0]}],
        "parameters": {"drag_coefficient": 0.1},
    }],
    "wind": {"velocity": [1, 0, 0], "gusts": [{"velocity": [0, 0, 1], "frequency": 2}]},
    "colliders": {
        "spheres": [{"center": [0, -1, 0], "radius": 0.1},
                    {"keyframes": [{"frame": 0, "center": [0, -2, 0], "radius": 0.1},
                                   {"frame": 2, "center": [0, -1, 0], "radius": 0.2}]}],
        "capsules": [{"from": [0, 0, 0], "to": [0, -0.4, 0], "radii": [0.08, 0.06], "frame": "knee"},
                     {"keyframes": [{"frame": 0, "from": [0, -2, 0], "to": [1, -2, 0], "radius": 0.1},
                                    {"frame": 2, "from": [0, -1, 0], "to": [1, -2, 0], "radii": [0.1, 0.2]}]}],
        "planes": [{"point": [0, -2, 0], "normal": [0, 1, 0]}],
        "convexes": [{"planes": [{"point": [0, -3, 0], "normal": [0, 1, 0]}]}],
    },
}


WOVEN = """v 0 1 0
v 1 1 0
v 1 0 0
v 0 0 0
vt 0 1
vt 1 1
vt 1 0
vt 0 0
f 1/1 2/2 3/3 4/4
"""


def changed(path, value):
    """Returns the scene with one field changed; path has the form 'cloths.0.mesh'."""
    scene = copy.deepcopy(SCENE)
    *outer, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    target = scene
    for part in outer:
        target = target[part]
    target[last] = value
    return scene


def message_for(folder, text):
    path = folder / "scene.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text, indent=1))
    return clothc("sim", path, exit_code=2).stderr


def test_the_unchanged_scene_runs(folder):
    path = folder / "scene.json"
    path.write_text(json.dumps(SCENE))
    clothc("sim", path)


def test_values_out_of_range_and_of_the_wrong_type_are_refused(folder):
    for path, value, words in [
        ("frames", 0, ["frames is 0", "1 .. 1000000"]),
        ("frames", 1.5, ["frames is 1.5", "whole number"]),
        ("frames", "many", ["frames is \"many\"", "whole number"]),
        ("frames", 18446744073709551615, ["frames is", "whole number"]),
        ("frame_rate", 0, ["frame_rate is 0"]),
        ("freams", 3, ["freams is 3", "unknown field 'freams'; did you mean 'frames'?"]),
        ("solver", {"schedule": "fast"}, ["solver.schedule is \"fast\"", "auto, cloth or pass"]),
        ("cloths", [], ["cloths is []", "at least 1"]),
        ("cloths", {}, ["cloths is {}", "array"]),
        ("cloths.0.name", "a/b", ["cloths[0].name", "letters"]),
        ("cloths.0.areal_density", 0, ["cloths[0].areal_density is 0"]),
        ("cloths.0.tethers", 5, ["cloths[0].tethers is 5", "0 .. 4"]),
        ("cloths.0.colour", [1, 2, 0], ["cloths[0].colour[1] is 2"]),
        ("cloths.0.mesh", {}, ["cloths[0].mesh is {}", "either sheet or tube or file"]),
        ("cloths.0.mesh", {"file": "missing.obj"}, ["missing.obj", "cannot read"]),
        ("cloths.0.mesh.sheet.columns", 1, ["cloths[0].mesh.sheet.columns is 1", "2 .. 4096"]),
        ("cloths.0.mesh.sheet.axis_u", [0, 1, 0], ["cloths[0].mesh.sheet", "parallel"]),
        ("cloths.0.mesh.sheet.axis_u", [0, 0, 0], ["axis_u", "not zero"]),
        ("cloths.0.pins", [{}], ["cloths[0].pins[0]", "exactly one of"]),
        ("cloths.0.pins", [{"rows": [4]}], ["cloths[0].pins[0].rows[0] is 4", "-4 .. 3"]),
        ("cloths.0.pins", [{"corners": ["middle"]}], ["middle", "top_left"]),
        ("cloths.0.pins", [{"vertices": [16]}], ["pins[0].vertices[0] is 16", "0 .. 15"]),
        ("cloths.0.pins", [{"box": {"minimum": [5, 5, 5], "maximum": [6, 6, 6]}}], ["selects no vertex"]),
        ("cloths.0.pins.0.motion", [{"frame": 2}, {"frame": 1}], ["motion[1].frame is 1", "after the one before"]),
        ("cloths.0.parameters", {"frictoin": 1}, ["cloths[0].parameters.frictoin", "friction"]),
        ("cloths.0.parameters", {"friction": -1}, ["cloths[0].parameters.friction is -1", "0 .. 100"]),
        ("cloths.0.parameters", {"gravity": [0, 1]}, ["gravity is [0,1]", "three numbers"]),
        ("cloths.0.parameters", {"damping": [0, 2, 0]}, ["damping[1] is 2", "0 .. 1"]),
        ("cloths.0.phases", {"bend": {"stiffness": 1.5}}, ["phases.bend.stiffness is 1.5", "0 .. 1"]),
        ("cloths.0.phases", {"twist": {}}, ["phases.twist", "stretch, shear, bend"]),
        ("colliders.spheres.0.radius", -1, ["colliders.spheres[0].radius is -1"]),
        ("colliders.spheres.0.center", None, ["colliders.spheres[0].center is null"]),
        ("colliders.planes.0.normal", [0, 0, 0], ["colliders.planes[0].normal", "not zero"]),
        ("colliders.spheres.0", {"center": [0, 0, 0], "raduis": 1}, ["spheres[0].raduis is 1", "did you mean 'radius'?"]),
        ("camera", {"eye": [0, 0, 0], "target": [0, 0, 0]}, ["camera", "must differ"]),
    ]:
        message = message_for(folder, changed(path, value))
        for word in ["scene.json:", *words] if words[-1] != "cannot read" else words:
            assert word in message, f"no '{word}' in {message}"


def test_wind_parameters_and_frames_of_cloths_are_checked(folder):
    feels = {"drag_coefficient": 0.1}
    for path, value, words in [
        ("wind", {"velocity": [1, 0]}, ["wind.velocity is [1,0]", "three numbers"]),
        ("wind", {"speed": 3}, ["wind.speed is 3", "unknown field", "velocity, keyframes, gusts"]),
        ("wind", {"velocity": [1, 0, 0], "keyframes": [{"frame": 0, "velocity": [1, 0, 0]}]}, ["wind is", "not both"]),
        ("wind", {"keyframes": [{"frame": 0}]}, ["wind.keyframes[0]", "'velocity' is missing"]),
        ("wind", {"keyframes": []}, ["wind.keyframes is []", "at least 1"]),
        ("wind.gusts.0.frequency", -1, ["wind.gusts[0].frequency is -1", "0 .. 1000"]),
        ("wind.gusts.0.phase", 1e9, ["wind.gusts[0].phase is", "-1000 .. 1000"]),
        ("wind.gusts", [{"frequency": 1}], ["wind.gusts[0]", "'velocity' is missing"]),
        ("cloths.0.parameters", {}, ["wind is", "no cloth feels it", "drag_coefficient"]),
        ("cloths.0.parameters", {**feels, "wind_velocity": [1, 0, 0]}, ["parameters.wind_velocity is", "leave one"]),
        ("cloths.0.parameters", {"drag_coefficient": 1.5}, ["parameters.drag_coefficient is 1.5", "0 .. 1"]),
        ("cloths.0.parameters", {"lift_coefficient": -1}, ["parameters.lift_coefficient is -1", "0 .. 1"]),
        ("cloths.0.parameters", {"fluid_density": -1}, ["parameters.fluid_density is -1", "0 .. 1e+06"]),
        ("cloths.0.parameters", {"linear_inertia": [1, 1, 2]}, ["parameters.linear_inertia[2] is 2", "0 .. 1"]),
        ("cloths.0.parameters", {"angular_drag": 1}, ["parameters.angular_drag is 1", "three numbers"]),
        ("cloths.0.parameters", {"sleep_after_count": 0}, ["parameters.sleep_after_count is 0", "1 .. 2147483648"]),
        ("cloths.0.parameters", {"sleep_test_interval": 1.5}, ["sleep_test_interval is 1.5", "whole number"]),
        ("cloths.0.parameters", {"sleep_policy": "doze"}, ["sleep_policy is \"doze\"", "skip or report"]),
        ("cloths.0.parameters", {"statistics": ["mass"]}, ["statistics[0] is \"mass\"", "kinetic_energy, stretch or bounds"]),
        ("cloths.0.parameters", {"drag_coeficient": 1}, ["drag_coeficient", "did you mean 'drag_coefficient'?"]),
        ("cloths.0.frame", "hip", ["cloths[0].frame is \"hip\"", "did you mean 'hips'?"]),
        ("cloths.0.teleports", [2], ["cloths[0].teleports is [2]", "add \"frame\""]),
        ("cloths.0.breeze", {}, ["cloths[0].breeze", "unknown field"]),
    ]:
        message = message_for(folder, changed(path, value))
        for word in ["scene.json:", *words]:
            assert word in message, f"no '{word}' in {message}"
    scene = changed("cloths.0.frame", "hips")
    scene["cloths"][0]["teleports"] = [0]
    assert "teleports[0] is 0; want a whole number in 1 .." in message_for(folder, scene)
    scene["cloths"][0]["teleports"] = [1]
    (folder / "scene.json").write_text(json.dumps(scene))
    clothc("sim", folder / "scene.json")


def test_coordinate_frames_are_checked(folder):
    frame = "coordinate_frames.0"
    for path, value, words in [
        (frame, {}, ["coordinate_frames[0]", "'name' is missing"]),
        (frame + ".name", "left hip", ["coordinate_frames[0].name is \"left hip\"", "letters"]),
        (frame + ".name", "knee", ["coordinate_frames[1].name is \"knee\"", "taken"]),
        (frame + ".parent", "tail", ["coordinate_frames[0].parent is \"tail\"", "no coordinate frame has this name"]),
        (frame + ".parent", "knees", ["parent is \"knees\"", "did you mean 'knee'?"]),
        (frame + ".parent", "hips", ["parent is \"hips\"", "('hips' in 'hips')"]),
        (frame + ".parent", "knee", ["parent is \"knee\"", "('hips' in 'knee' in 'hips')", "leave out one parent"]),
        (frame + ".parent", 3, ["parent is 3", "text"]),
        (frame + ".axis", [0, 0, 0], ["coordinate_frames[0].axis is [0,0,0]", "not zero"]),
        (frame + ".degrees", 1e6, ["coordinate_frames[0].degrees is 1000000", "100000"]),
        (frame + ".translation", [0, 1], ["coordinate_frames[0].translation is [0,1]", "three numbers"]),
        (frame + ".repeat", 2, ["coordinate_frames[0].repeat is 2", "more than the last keyframe's frame"]),
        (frame + ".repeat", 0, ["coordinate_frames[0].repeat is 0", "1 .. 1e+06"]),
        (frame + ".smooth", "yes", ["coordinate_frames[0].smooth is \"yes\"", "true or false"]),
        (frame + ".rotation", 3, ["rotation is 3", "unknown field", "known are name, parent"]),
        (frame + ".keyframes", [], ["coordinate_frames[0].keyframes is []", "at least 1"]),
        (frame + ".keyframes", [{"frame": 1}, {"frame": 1}], ["keyframes[1].frame is 1", "after the one before"]),
        (frame + ".keyframes", [{"frame": 1, "degres": 4}], ["keyframes[0].degres is 4", "did you mean 'degrees'?"]),
        (frame + ".keyframes.1.axis", [0, 0, 0], ["keyframes[1].axis is [0,0,0]", "not zero"]),
        (frame + ".keyframes", [{"frame": 0}, {"frame": 3, "axis": [1, 0, 0], "degrees": 180}],
         ["coordinate_frames[0].keyframes[1] is", "half a turn", "add a keyframe between"]),
        ("coordinate_frames.1.repeat", 9, ["coordinate_frames[1].repeat is 9", "needs keyframes"]),
        ("coordinate_frames.1.smooth", True, ["coordinate_frames[1].smooth is true", "needs keyframes"]),
        ("cloths.0.pins.0.frame", "hip", ["cloths[0].pins[0].frame is \"hip\"", "did you mean 'hips'?"]),
        ("colliders.spheres.0.frame", "", ["colliders.spheres[0].frame is \"\"", "no coordinate frame"]),
        ("colliders.capsules.0.frame", "ankle", ["colliders.capsules[0].frame is \"ankle\"", "no coordinate frame"]),
        ("colliders.planes.0.frame", 1, ["colliders.planes[0].frame is 1", "text"]),
        ("colliders.convexes.0.frame", "kneee", ["colliders.convexes[0].frame", "did you mean 'knee'?"]),
    ]:
        message = message_for(folder, changed(path, value))
        for word in ["scene.json:", *words]:
            assert word in message, f"no '{word}' in {message}"
    scene = changed("cloths.0.pins.0", {"rows": [0], "frame": "hips"})
    del scene["coordinate_frames"]
    assert "the scene has no coordinate_frames" in message_for(folder, scene)


def test_capsules_and_tubes_are_checked(folder):
    ends = {"from": [0, 0, 0], "to": [1, 0, 0]}
    tube = {"columns": 8, "rows": 3, "radii": [0.2, 0.4], "length": 1}
    for path, value, words in [
        ("colliders.capsules.0", ends, ["colliders.capsules[0] is", "either radius or radii"]),
        ("colliders.capsules.0", {**ends, "radius": 1, "radii": [1, 1]}, ["either radius or radii"]),
        ("colliders.capsules.0", {"from": [0, 0, 0], "radius": 1}, ["'to' is missing"]),
        ("colliders.capsules.0", {**ends, "radius": -1}, ["capsules[0].radius is -1", "0 .. 1e+06"]),
        ("colliders.capsules.0", {**ends, "radii": [1]}, ["capsules[0].radii is [1]", "two radii"]),
        ("colliders.capsules.0", {**ends, "radii": [1, -1]}, ["capsules[0].radii[1] is -1"]),
        ("colliders.capsules.1.radius", 1, ["capsules[1].radius is 1", "unknown field"]),
        ("colliders.capsules.1.keyframes.1.frame", 0, ["keyframes[1].frame is 0", "after the one before"]),
        ("cloths.0.mesh", {"tube": tube, "sheet": {}}, ["either sheet or tube or file"]),
        ("cloths.0.mesh", {"tube": {**tube, "columns": 2}}, ["mesh.tube.columns is 2", "3 .. 4096"]),
        ("cloths.0.mesh", {"tube": {**tube, "radii": 1}}, ["mesh.tube.radii is 1", "array"]),
        ("cloths.0.mesh", {"tube": {**tube, "radii": [1, 2, 3]}}, ["mesh.tube.radii is [1,2,3]", "two radii"]),
        ("cloths.0.mesh", {"tube": {**tube, "radii": [0, 1]}}, ["mesh.tube.radii[0] is 0"]),
        ("cloths.0.mesh", {"tube": {**tube, "axis": [0, 0, 0]}}, ["mesh.tube.axis", "not zero"]),
        ("cloths.0.mesh", {"tube": {**tube, "lenght": 1}}, ["mesh.tube.lenght", "did you mean 'length'?"]),
        ("cloths.0.mesh", {"tube": {**tube, "folds": {"count": 1.5, "depth": 0}}}, ["folds.count is 1.5", "whole"]),
        ("cloths.0.mesh", {"tube": {**tube, "folds": {"count": 8, "depth": 0.5}}}, ["folds.depth is 0.5", "less than"]),
    ]:
        message = message_for(folder, changed(path, value))
        for word in ["scene.json:", *words]:
            assert word in message, f"no '{word}' in {message}"
    scene = changed("cloths.0.mesh", {"tube": tube})
    scene["cloths"][0]["pins"] = [{"corners": ["top_left"]}]
    assert "a tube has no corners" in message_for(folder, scene)


def test_phases_that_a_cloth_does_not_have_are_refused(folder):
    hint = {"gravity_hint": [0, -1, 0]}
    for fields, words in [
        ({"phases": {"vertical": {}}}, ["phases.vertical is {}", "add \"gravity_hint\""]),
        ({"phases": {"horizontal": {"stiffness": 1}}}, ["phases.horizontal is", "gravity_hint"]),
        ({"phases": {"warp": {}}}, ["phases.warp is {}", "add \"texture_coordinates\": true"]),
        ({**hint, "phases": {"weft": {}}}, ["phases.weft is {}", "texture_coordinates"]),
        ({**hint, "phases": {"stretch": {}}}, ["phases.stretch is {}", "vertical and horizontal in place"]),
        ({**hint, "phases": {"vertical": {"stiffness": 2}}}, ["phases.vertical.stiffness is 2", "0 .. 1"]),
        ({"gravity_hint": [0, 0, 0]}, ["cloths[0].gravity_hint is [0,0,0]", "not zero"]),
        ({"gravity_hint": "down"}, ["cloths[0].gravity_hint is \"down\"", "three numbers"]),
        ({"quadify": 1}, ["cloths[0].quadify is 1", "true or false"]),
        ({"texture_coordinates": True}, ["texture_coordinates is true", "mesh has no texture coordinates"]),
        ({"texture_coordinates": "yes"}, ["texture_coordinates is \"yes\"", "true or false"]),
    ]:
        scene = copy.deepcopy(SCENE)
        scene["cloths"][0].update(fields)
        message = message_for(folder, scene)
        for word in ["scene.json:", *words]:
            assert word in message, f"no '{word}' in {message}"


def test_a_weave_goes_before_a_gravity_hint_and_a_stretch_phase(folder):
    (folder / "woven.obj").write_text(WOVEN)
    for fields, words in [
        ({"gravity_hint": [0, -1, 0]}, ["gravity_hint is [0,-1,0]", "leave one of them out"]),
        ({"phases": {"stretch": {}}}, ["phases.stretch is {}", "warp and weft in place"]),
        ({"phases": {"vertical": {}}}, ["phases.vertical is {}", "gravity_hint"]),
    ]:
        cloth = {"mesh": {"file": "woven.obj"}, "texture_coordinates": True, **fields}
        message = message_for(folder, {"cloths": [cloth]})
        for word in words:
            assert word in message, f"no '{word}' in {message}"


def test_a_missing_field_and_a_name_given_twice_are_refused(folder):
    assert "'cloths' is missing" in message_for(folder, {})
    twice = {**SCENE, "cloths": [SCENE["cloths"][0]] * 2}
    assert "name 'sheet' is taken" in message_for(folder, twice)


def test_messages_name_the_line(folder):
    message = message_for(folder, '{\n  // a comment\n  "frames": 1,\n  "frame_rate":\n    -1\n}\n')
    assert "scene.json:4: frame_rate is -1" in message, message
    assert "scene.json:3: frames is given twice" in message_for(folder, '{"frames": 1,\n\n"frames": 2}')


def test_text_that_is_no_json_is_refused(folder):
    for text in ["", "{", '{"frames": }', "[1, 2", "\xff\xfe", '{"frames": 1e999}', "[" * 5000]:
        assert "scene.json" in message_for(folder, text)
    assert "line 2, column" in message_for(folder, '{"frames": 1,\n "cloths" [] }')


def test_wrong_usage_is_refused(folder):
    scene = PROJECT / "scenes" / "flag.json"
    for arguments, word in [
        (["sim"], "SCENE"),
        (["simulate"], "simulate"),
        (["sim", scene, "--frames", "0"], "--frames"),
        (["sim", scene, "--frames", "x"], "--frames"),
        (["sim", scene, "--backend", "gpu"], "--backend"),
        (["sim", scene, "--isa", "mmx"], "--isa"),
        (["sim", scene, "--threads", "1000"], "--threads"),
        (["sim", scene, "--format", "abc"], "--format"),
        (["sim", scene, "--png", "--frames", "1"], "--out"),
        (["sim", scene, "--out", "/dev/null/x", "--frames", "1"], "/dev/null/x"),
        (["sim", folder / "missing.json"], "missing.json"),
        (["sim", folder / "mesh.stl"], ".obj"),
        (["sim", folder], str(folder)),
        (["cook", folder / "missing.obj"], "missing.obj"),
    ]:
        message = clothc(*arguments, exit_code=2).stderr
        assert word in message, f"no '{word}' in {message}"


run_tests(dict(globals()))
