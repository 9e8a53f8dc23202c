"""OBJ files are read correctly, and OBJ and PC2 files contain the simulated positions."""
import struct

from running import clothc, clothc_json, run_tests

# A strip of two quads and a pentagon with negative indices and texture coordinates; the last vertex repeats the first.
STRIP = """# comment
v 0 1 0
v 1 1 0
v 1 0 0
v 0 0 0
v 2 1 0
v 2 0 0
v 3 0.5 0
v 0 1 0
vt 0 0
f 1/1 2/1 3/1 4/1
f -7 -4 -3 -6
f 5 7 6 3 2
"""


def read_obj(path):
    lines = [line.split() for line in path.read_text().splitlines()]
    positions = [tuple(map(float, line[1:])) for line in lines if line and line[0] == "v"]
    faces = [tuple(map(int, line[1:])) for line in lines if line and line[0] == "f"]
    return positions, faces


def read_pc2(path):
    data = path.read_bytes()
    signature, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
    assert signature == b"POINTCACHE2\0" and version == 1 and start == 0 and rate == 1
    assert len(data) == 32 + 12 * points * samples
    values = struct.unpack_from(f"<{3 * points * samples}f", data, 32)
    return [[values[3 * i:3 * i + 3] for i in range(s * points, (s + 1) * points)] for s in range(samples)]


def write_strip(folder, text=STRIP):
    path = folder / "strip.obj"
    path.write_text(text)
    return path


def test_quads_stay_quads_and_larger_polygons_become_fans(folder):
    clothc("sim", write_strip(folder), "--frames", 1, "--out", folder / "out")
    positions, faces = read_obj(folder / "out" / "strip_0000.obj")
    assert len(positions) == 8
    assert sorted(faces) == sorted([(1, 2, 3, 4), (2, 5, 6, 3), (5, 7, 6), (5, 6, 3), (5, 3, 2)])


def test_files_hold_every_frame_and_every_vertex_of_the_input(folder):
    mesh = write_strip(folder)
    clothc("sim", mesh, "--frames", 4, "--out", folder / "obj")
    clothc("sim", mesh, "--frames", 4, "--out", folder / "pc2", "--format", "pc2")
    assert sorted(p.name for p in (folder / "obj").iterdir()) == [f"strip_{i:04}.obj" for i in range(5)]
    assert sorted(p.name for p in (folder / "pc2").iterdir()) == ["strip.obj", "strip.pc2"]
    samples = read_pc2(folder / "pc2" / "strip.pc2")
    assert len(samples) == 5
    for frame, sample in enumerate(samples):
        positions, _ = read_obj(folder / "obj" / f"strip_{frame:04}.obj")
        assert [struct.pack("<3f", *p) for p in positions] == [struct.pack("<3f", *p) for p in sample]
        assert sample[0] == sample[7], "welded vertices part"
    assert samples[4][6][1] < samples[0][6][1], "nothing fell"


def test_every_nth_frame_is_written(folder):
    report = clothc_json("sim", write_strip(folder), "--frames", 6, "--every", 3, "--out", folder / "out")
    names = [f"strip_{i:04}.obj" for i in (0, 3, 6)]
    assert sorted(p.name for p in (folder / "out").iterdir()) == names
    assert report["files"] == [str(folder / "out" / name) for name in names]


def test_welded_dropped_and_loose_parts_are_reported(folder):
    loose = STRIP + "f 1 1 2\nv 5 0 0\nv 6 0 0\nv 5.5 0.5 0\nf -1 -2 -3\nv 9 0 9\n"
    mesh = write_strip(folder, loose)
    report = clothc_json("cook", mesh)
    assert report["vertices"] == 12 and report["particles"] == 11 and report["welded"] == 1
    assert report["dropped"] == 1 and report["isolated"] == 1 and report["unpinned_components"] == 1
    messages = clothc("sim", mesh, "--frames", 1).stderr
    for word in ("left out", "further piece", "no pinned particle", "in no face"):
        assert word in messages, f"no '{word}' in {messages}"


def test_bad_obj_files_are_refused_with_the_line(folder):
    for text, words in [
        ("v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n", ["strip.obj:2", "three finite", "nan"]),
        ("v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n", ["strip.obj:2", "three finite"]),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n", ["strip.obj:5", "vertex 4", "only 3"]),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", ["strip.obj:4", "vertex 0"]),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", ["strip.obj:4", "vertex -4"]),
        ("v 0 0 0\nv 1 0 0\nf 1 2\n", ["strip.obj:3", "3 or more"]),
        ("v 0 0 0\n", ["no face"]),
        ("", ["no face"]),
        ("\x00\x01\x02 f v\n\x00", ["no face"]),
        ("v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n", ["units large"]),
    ]:
        message = clothc("sim", write_strip(folder, text), exit_code=2).stderr
        for word in words:
            assert word in message, f"no '{word}' in {message}"


run_tests(dict(globals()))
