"""Scene files are read strictly: what is wrong is refused with file, line, field, the value seen and the remedy."""
import copy
import json

from running import PROJECT, clothc, run_tests

SCENE = {
    "frames": 2,
    "cloths": [{
        "name": "sheet",
        "mesh": {"sheet": {"columns": 4, "rows": 4, "width": 1, "height": 1}},
        "pins": [{"rows": [0], "motion": [{"frame": 0}, {"frame": 2, "translation": [0.1, 0, 0]}]}],
        "gravity_keyframes": [{"frame": 0, "gravity": [0, -9.81, 0]}, {"frame": 2, "gravity": [1, -9, 0]}],
        "breeze": {"acceleration": [1, 0, 0], "waves": [{"amplitude": [0, 0, 1], "frequency": 2}]},
    }],
    "colliders": {
        "spheres": [{"center": [0, -1, 0], "radius": 0.1},
                    {"keyframes": [{"frame": 0, "center": [0, -2, 0], "radius": 0.1},
                                   {"frame": 2, "center": [0, -1, 0], "radius": 0.2}]}],
        "planes": [{"point": [0, -2, 0], "normal": [0, 1, 0]}],
        "convexes": [{"planes": [{"point": [0, -3, 0], "normal": [0, 1, 0]}]}],
    },
}


def changed(path, value):
    """The scene with one field set; path is like 'cloths.0.mesh'."""
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
        ("freams", 3, ["freams is 3", "no such field", "frames"]),
        ("solver", {"schedule": "fast"}, ["solver.schedule is \"fast\"", "auto, cloth or pass"]),
        ("cloths", [], ["cloths is []", "at least 1"]),
        ("cloths", {}, ["cloths is {}", "array"]),
        ("cloths.0.name", "a/b", ["cloths[0].name", "letters"]),
        ("cloths.0.areal_density", 0, ["cloths[0].areal_density is 0"]),
        ("cloths.0.tethers", 5, ["cloths[0].tethers is 5", "0 .. 4"]),
        ("cloths.0.colour", [1, 2, 0], ["cloths[0].colour[1] is 2"]),
        ("cloths.0.mesh", {}, ["cloths[0].mesh is {}", "either sheet or file"]),
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
        ("camera", {"eye": [0, 0, 0], "target": [0, 0, 0]}, ["camera", "must differ"]),
    ]:
        message = message_for(folder, changed(path, value))
        for word in ["scene.json:", *words] if words[-1] != "cannot read" else words:
            assert word in message, f"no '{word}' in {message}"


def test_a_missing_field_and_a_name_given_twice_are_refused(folder):
    assert "'cloths' is missing" in message_for(folder, {})
    twice = {"cloths": [SCENE["cloths"][0]] * 2}
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
