"""PLY and glTF files, read by third-party programs, contain the same data as OBJ files of the same frames."""
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys

import mesh_samples as samples
from running import SKIPPED, clothc, clothc_json, run_tests

ASSIMP_MORPHS = os.environ.get("CLOTHC_ASSIMP_MORPHS")
NODE = pathlib.Path(__file__).resolve().parent / "node"
MISSING = [text for text, is_there in [
    ("node", shutil.which("node")), ("Assimp (libassimp-dev) when the tests were built", ASSIMP_MORPHS),
    ("meshio (python3-meshio)", importlib.util.find_spec("meshio")),
    ("gltf-validator (npm ci in tests/tool/node)", (NODE / "node_modules" / "gltf-validator").is_dir())] if not is_there]
if MISSING:
    print("skipped, because these are not here:", ", ".join(MISSING))
    sys.exit(SKIPPED)

FRAMES, EVERY, RATE = 12, 3, 50
WRITTEN = range(0, FRAMES + 1, EVERY)


def write_scene(folder):
    """Writes a scene of two cloths: a sheet, and a mesh from a file with texture coordinates and a duplicated
    vertex."""
    ply = samples.ply("binary_big_endian", [*samples.POLYGONS, (8, 5, 7)], [*samples.POSITIONS, (1, 1, 0)], uvs=True)
    (folder / "patch.ply").write_bytes(ply)
    sheet = {"columns": 9, "rows": 7, "width": 1, "height": 1}
    gravity = {"gravity": [1, -9.81, 3]}
    cloths = [{"name": "sheet", "mesh": {"sheet": sheet}, "pins": [{"rows": [0]}], "parameters": gravity,
               "colour": [0.1, 0.2, 0.3]},
              {"name": "patch", "mesh": {"file": "patch.ply"}, "pins": [{"highest": 0.1}], "parameters": gravity}]
    path = folder / "scene.json"
    path.write_text(json.dumps({"name": "two cloths", "frames": FRAMES, "frame_rate": RATE, "cloths": cloths}))
    return path


def simulate(scene, out, kind, *arguments):
    report = clothc_json("sim", scene, "--format", kind, "--every", EVERY, "--out", out, *arguments)
    assert sorted(report["files"]) == sorted(map(str, out.iterdir())), report["files"]
    return report


def assert_near(got, want, tolerance):
    assert len(got) == len(want)
    for p, q in zip(got, want):
        assert all(abs(float(a) - float(b)) <= tolerance for a, b in zip(p, q)), (p, q)


def validate(path):
    output = subprocess.run(["node", str(NODE / "validate_gltf.js"), str(path)], capture_output=True, text=True,
                            check=True).stdout
    report = json.loads(output)
    issues = report["issues"]
    assert issues["numErrors"] == 0 and issues["numWarnings"] == 0 and not issues["truncated"], issues
    return report["info"]


def test_ply_files_hold_what_obj_files_hold(folder):
    import meshio
    scene = write_scene(folder)
    simulate(scene, folder / "obj", "obj")
    simulate(scene, folder / "ply", "ply")
    names = {f"{cloth}_{frame:04}" for cloth in ("sheet", "patch") for frame in WRITTEN}
    assert {p.stem for p in (folder / "ply").iterdir()} == names
    for name in names:
        positions, polygons = samples.read_obj(folder / "obj" / f"{name}.obj")
        ply, obj = meshio.read(folder / "ply" / f"{name}.ply"), meshio.read(folder / "obj" / f"{name}.obj")
        assert_near(ply.points, positions, 1e-7)
        assert_near(obj.points, positions, 1e-7)
        assert sorted(tuple(map(int, f)) for b in ply.cells for f in b.data) == sorted(polygons)
        assert ("s" in ply.point_data) == name.startswith("patch")
        if name.startswith("patch"):
            assert_near(list(zip(ply.point_data["s"], ply.point_data["t"])),
                        [(x / 2, y / 2) for x, y, _ in [*samples.POSITIONS, (1, 1, 0)]], 1e-7)
            assert_near(obj.point_data["obj:vt"], [(x / 2, y / 2) for x, y, _ in [*samples.POSITIONS, (1, 1, 0)]], 1e-7)


def test_a_gltf_file_shows_every_frame_at_its_time(folder):
    scene = write_scene(folder)
    simulate(scene, folder / "obj", "obj")
    simulate(scene, folder / "gltf", "gltf")
    path = folder / "gltf" / "two_cloths.glb"
    info = validate(path)
    assert info["animationCount"] == 1 and info["hasMorphTargets"] and info["totalVertexCount"] == 63 + 9
    file = samples.Glb(path)
    animation, = file.json["animations"]
    sampler, = animation["samplers"]
    assert sampler["interpolation"] == "LINEAR"
    times, weights = file.accessor(sampler["input"]), file.accessor(sampler["output"])
    assert_near([times], [[frame / RATE for frame in WRITTEN]], 1e-6)
    target_count = len(weights) // len(times)
    assert target_count == len(times) - 1
    assert [c["target"] for c in animation["channels"]] == [{"node": i, "path": "weights"} for i in (0, 1)]
    for mesh, name in enumerate(("sheet", "patch")):
        assert file.json["nodes"][mesh] == {"name": name, "mesh": mesh}
        for key, frame in enumerate(WRITTEN):
            want, polygons = samples.read_obj(folder / "obj" / f"{name}_{frame:04}.obj")
            shown = file.positions(mesh, weights[key * target_count:(key + 1) * target_count])
            assert_near(shown, want, 1e-6)
        moved = max(abs(a - b) for p, q in zip(shown, file.positions(mesh, [])) for a, b in zip(p, q))
        assert moved > 0.02, f"{name} hardly moved: {moved}"
        indices = file.accessor(file.json["meshes"][mesh]["primitives"][0]["indices"])
        assert len(indices) == 3 * sum(len(f) - 2 for f in polygons)
        triangles = [set(indices[i:i + 3]) for i in range(0, len(indices), 3)]
        assert all(any(t <= set(f) for f in polygons) for t in triangles)
    assert shown[4] == shown[8], "welded vertices part"
    uvs = file.accessor(file.json["meshes"][1]["primitives"][0]["attributes"]["TEXCOORD_0"])
    assert_near(uvs, [(x / 2, 1 - y / 2) for x, y, _ in [*samples.POSITIONS, (1, 1, 0)]], 1e-6)
    material = file.json["materials"][0]
    assert material["doubleSided"] and file.json["meshes"][0]["primitives"][0]["material"] == 0
    assert_near([material["pbrMetallicRoughness"]["baseColorFactor"]], [[0.1, 0.2, 0.3, 1]], 1e-6)


def test_assimp_reads_the_frames_of_the_gltf_file(folder):
    scene = write_scene(folder)
    simulate(scene, folder / "obj", "obj")
    simulate(scene, folder / "gltf", "gltf")
    lines = subprocess.run([ASSIMP_MORPHS, str(folder / "gltf" / "two_cloths.glb")], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    keys = [line.split()[1:] for line in lines if line.startswith("key ")]
    for mesh, name in enumerate(("sheet", "patch")):
        assert_near([map(float, key[1:]) for key in keys if key[0] == name],
                    [(frame / RATE, number - 1) for number, frame in enumerate(WRITTEN)], 1e-6)
        for target, frame in enumerate(WRITTEN[1:]):
            begin = f"{mesh} {target} "
            got = [tuple(map(float, line.split()[2:])) for line in lines if line.startswith(begin)]
            assert_near(got, samples.read_obj(folder / "obj" / f"{name}_{frame:04}.obj")[0], 1e-6)


def test_one_frame_is_a_mesh_without_animation(folder):
    simulate(write_scene(folder), folder / "gltf", "gltf", "--frames", 2)
    info = validate(folder / "gltf" / "two_cloths.glb")
    assert info["animationCount"] == 0 and not info["hasMorphTargets"]


def test_what_was_written_is_read_as_the_same_mesh(folder):
    """glTF files contain only triangles, so they are compared with an OBJ file of these triangles."""
    scene = write_scene(folder)
    hashes = {}
    for kind in ("obj", "ply", "gltf"):
        simulate(scene, folder / kind, kind, "--frames", 2)
    for kind in ("obj", "ply"):
        for cloth in ("sheet", "patch"):
            hashes[kind, cloth] = clothc_json("cook", folder / kind / f"{cloth}_0000.{kind}")["content_hash"]
    assert hashes["obj", "sheet"] == hashes["ply", "sheet"] and hashes["obj", "patch"] == hashes["ply", "patch"], hashes
    file = samples.Glb(folder / "gltf" / "two_cloths.glb")
    lines, first = [], 1
    for mesh in (0, 1):
        primitive = file.json["meshes"][mesh]["primitives"][0]
        positions, indices = file.accessor(primitive["attributes"]["POSITION"]), file.accessor(primitive["indices"])
        lines += ["v %.9g %.9g %.9g" % p for p in positions]
        lines += ["f %d %d %d" % tuple(first + v for v in indices[i:i + 3]) for i in range(0, len(indices), 3)]
        first += len(positions)
    (folder / "triangles.obj").write_text("\n".join(lines))
    assert (clothc_json("cook", folder / "gltf" / "two_cloths.glb")["content_hash"]
            == clothc_json("cook", folder / "triangles.obj")["content_hash"])


def test_a_gltf_file_that_would_be_too_large_is_refused_or_warned_of(folder):
    sheet = {"columns": 100, "rows": 100, "width": 1, "height": 1}
    scene = folder / "large.json"
    scene.write_text(json.dumps({"frames": 20000, "cloths": [{"name": "sheet", "mesh": {"sheet": sheet}}]}))
    message = clothc("sim", scene, "--format", "gltf", "--out", folder / "out", exit_code=2).stderr
    assert "4096 MiB" in message and "--every" in message, message
    assert not list((folder / "out").iterdir())


run_tests(dict(globals()))
