"""PLY and glTF files are read correctly; their errors are reported, and damaged files never crash the tool."""
import json
import random
import struct
import subprocess
import sys

import mesh_samples as samples
from running import clothc, clothc_json, run_tests

NAN = float("nan")


def write(folder, name, data):
    path = folder / name
    path.write_bytes(data)
    return path


def cook(folder, name, data):
    return clothc_json("cook", write(folder, name, data))


def message_for(folder, name, data):
    return clothc("cook", write(folder, name, data), exit_code=2).stderr


def moved(folder, parts):
    """Returns the positions that the tool reads from a glTF file."""
    clothc("sim", write(folder, "moved.glb", samples.glb(parts)), "--frames", 1, "--every", 2, "--out", folder / "moved")
    return samples.read_obj(folder / "moved" / "moved_0000.obj")


def test_every_ply_is_the_mesh_that_obj_is(folder):
    want = cook(folder, "a.obj", samples.obj())["content_hash"]
    for kind in samples.PLY_FORMATS:
        for end in ("\n", "\r\n", "\r"):
            assert cook(folder, "a.PLY", samples.ply(kind, end=end))["content_hash"] == want, (kind, end)
    ply = samples.ply(uvs=True).replace(b"vertex_indices", b"vertex_index")
    clothc("sim", write(folder, "uv.ply", ply), "--frames", 1, "--out", folder / "out")
    positions, polygons = samples.read_obj(folder / "out" / "uv_0000.obj")
    assert positions == samples.POSITIONS and set(samples.POLYGONS[:2]) <= set(polygons) and len(polygons) == 5
    assert "vt 1 0.5\n" in (folder / "out" / "uv_0000.obj").read_text()


def test_every_gltf_is_the_mesh_that_obj_is(folder):
    want = cook(folder, "a.obj", samples.obj(samples.TRIANGLES))["content_hash"]
    assert cook(folder, "a.glb", samples.glb())["content_hash"] == want
    assert cook(folder, "a.gltf", samples.gltf())["content_hash"] == want
    description, data = samples.gltf_parts()
    description["buffers"][0]["uri"] = "a%20b.bin"
    write(folder, "a b.bin", data)
    assert cook(folder, "b.gltf", json.dumps(description).encode())["content_hash"] == want


def test_nodes_place_their_meshes(folder):
    description, data = samples.gltf_parts(scale=[2, 1, 1], rotation=[0, 0, 2 ** -0.5, 2 ** -0.5], children=[1])
    description["nodes"].append({"mesh": 0, "translation": [0, 0, 5]})
    positions, polygons = moved(folder, (description, data))
    want = [(-y, 2 * x, z + dz) for dz in (0, 5) for x, y, z in samples.POSITIONS]
    assert len(polygons) == 14 and polygons[7] == tuple(v + 8 for v in polygons[0])
    assert all(abs(a - b) < 1e-6 for p, q in zip(positions, want) for a, b in zip(p, q)), positions
    matrix = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1]
    positions, polygons = moved(folder, samples.gltf_parts(matrix=matrix))
    assert positions == [(7 - x, y, z) for x, y, z in samples.POSITIONS]
    assert polygons == [(a, c, b) for a, b, c in samples.TRIANGLES], "a mirrored mesh is inside out"


def test_strips_and_fans_are_triangles(folder):
    for mode, corners, want in [(5, (0, 1, 3, 4), [(0, 1, 3), (1, 4, 3)]), (6, (0, 1, 4, 3), [(0, 1, 4), (0, 4, 3)])]:
        description, data = samples.gltf_parts([corners[:3], corners[3:] + (0, 0)])
        description["meshes"][0]["primitives"][0]["mode"] = mode
        description["accessors"][0]["count"] = 4
        assert sorted(map(sorted, moved(folder, (description, data))[1])) == sorted(map(sorted, want))


def test_bad_ply_files_are_refused(folder):
    good = samples.ply()
    for data, words in [
        (b"", ["a.ply:1", "want 'ply'"]),
        (b"v 0 0 0\n", ["a.ply:1", "want 'ply'"]),
        (b"ply\nformat ascii 1.0\n", ["end_header"]),
        (b"ply\nelement vertex 1\nend_header\n", ["no format"]),
        (good.replace(b"ascii", b"ebcdic"), ["a.ply:2", "binary_big_endian"]),
        (good.replace(b"float z", b"half z"), ["a.ply:8", "'half'", "float"]),
        (good.replace(b"float z", b"float w"), ["a.ply:4", "no property z"]),
        (good.replace(b"vertex 8", b"vertex 80000000"), ["a.ply:4", "80000000", "truncated"]),
        (good.replace(b"vertex 8", b"vertex -8"), ["a.ply:4", "COUNT"]),
        (good.replace(b"vertex_indices", b"corners"), ["a.ply:9", "no list of vertices"]),
        (good.replace(b"0 2 200 0", b"0 nan 200 0"), ["vertex 0", "nan", "finite"]),
        (good.replace(b"0 2 200 0", b"0 two 200 0"), ["a.ply:12", "vertex 0", "no number"]),
        (good.replace(b"4 0 1 4 3", b"4 0 1 4 8"), ["face 0", "vertex 8", "8 vertices"]),
        (good.replace(b"4 0 1 4 3", b"4 0 1 4 -1"), ["face 0", "vertex -1"]),
        (samples.ply(polygons=[(0, 1)]), ["a.ply:20", "face 0", "3 or more"]),
        (samples.ply(polygons=[]), ["no face"]),
        (samples.ply("binary_big_endian")[:-1], ["face 2", "truncated"]),
    ]:
        message = message_for(folder, "a.ply", data)
        assert "a.ply" in message and all(word in message for word in words), (words, message)


def test_bad_gltf_files_are_refused(folder):
    def changed(path, value):
        description, data = samples.gltf_parts()
        target = description
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = value
        return samples.glb((description, data))

    primitive = ["meshes", 0, "primitives", 0]
    for data, words in [
        (b"", ["whole glTF 2.0"]),
        (b"glTF", ["whole glTF 2.0"]),
        (samples.glb()[:-8], ["whole glTF 2.0"]),
        (changed(["scenes", 0, "nodes"], [7]), ["node 7", "not exist"]),
        (changed(["nodes", 0, "mesh"], 3), ["mesh 3", "not exist"]),
        (changed(["nodes", 0, "children"], [0]), ["several parents"]),
        (changed([*primitive, "mode"], 0), ["only points or lines"]),
        (changed([*primitive, "mode"], 1), ["only points or lines"]),
        (changed(["nodes", 0], {}), ["no face"]),
        (changed([*primitive, "attributes"], {}), ["no POSITION"]),
        (changed([*primitive, "attributes", "POSITION"], 0), ["accessor 0", "components", "want 3"]),
        (changed([*primitive, "indices"], 1), ["accessor 1", "unsigned integers"]),
        (changed(["accessors", 1, "count"], 9), ["accessor 1", "ends behind"]),
        (changed(["accessors", 1, "count"], 7), ["names vertex 7", "7 vertices"]),
        (changed(["accessors", 0, "count"], 20), ["20 corners", "multiple of 3"]),
        (changed(["bufferViews", 1, "byteOffset"], 10 ** 9), ["accessor 1", "behind its buffer"]),
        (changed(["extensionsRequired"], ["KHR_draco_mesh_compression"]), ["KHR_draco_mesh_compression"]),
        (samples.glb().replace(struct.pack("<3f", 0, 2, 0), struct.pack("<3f", 0, NAN, 0), 1), ["vertex 0", "nan"]),
    ]:
        message = message_for(folder, "a.glb", data)
        assert "a.glb" in message and all(word in message for word in words), (words, message)


def test_other_endings_are_refused_with_those_that_are_read(folder):
    for name in ("a.stl", "a", "a.fbx"):
        message = message_for(folder, name, samples.obj())
        assert all(ending in message for ending in (name, ".obj", ".ply", ".gltf", ".glb")), message


def test_damaged_files_never_crash_the_tool(folder):
    draw = random.Random(2024)
    accepted = refused = 0
    for name, data in [("a.obj", samples.obj()), ("b.ply", samples.ply()), ("c.ply", samples.ply("binary_little_endian")),
                       ("d.ply", samples.ply("binary_big_endian")), ("e.glb", samples.glb()), ("f.gltf", samples.gltf())]:
        # The fuzz target of the readers tries thousands of files; here it is about exit codes and messages.
        damaged = [data[:len(data) * i // 10] for i in range(10)]
        for _ in range(25):
            flipped = bytearray(data)
            for _ in range(draw.randint(1, 4)):
                flipped[draw.randrange(len(data))] = draw.choice([draw.randrange(256), *b"0123456789-"])
            damaged.append(bytes(flipped))
        for number, content in enumerate(damaged):
            path = write(folder, name, content)
            process = subprocess.run([sys.argv[1], "cook", str(path)], capture_output=True, check=False, timeout=60)
            assert process.returncode in (0, 2), (name, number, process.returncode, process.stderr, content)
            assert process.returncode == 0 or name.encode() in process.stderr, process.stderr
            accepted, refused = accepted + (process.returncode == 0), refused + (process.returncode == 2)
    print(f"{accepted} damaged files still were meshes, {refused} were refused")
    assert accepted and refused


run_tests(dict(globals()))
