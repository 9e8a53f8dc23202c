"""`clothc cook`: every option, the diagnostics of a mesh, fabrics that are written and read again, and refused
input."""
from running import clothc, clothc_json, run_tests

# Number of vertices along each side of the sheet.
SIDE = 6
INFO = ["vertices", "particles", "triangles", "constraints", "phases", "sets", "colours", "tethers_per_particle", "welded",
        "dropped", "merged_triangles", "virtual_particles", "reordered", "non_manifold_edges", "components", "isolated", "pinned", "untethered",
        "unpinned_components", "content_hash"]


def write_sheet(folder, name="sheet.obj", triangles=True, coordinates=False, more=""):
    """Writes a sheet of 1 m in the plane z = 0, with its texture turned by 90 degrees; `more` is appended to the
    file."""
    grid = [(column / (SIDE - 1), 1 - row / (SIDE - 1)) for row in range(SIDE) for column in range(SIDE)]
    lines = [f"v {x} {y} 0" for x, y in grid]
    lines += [f"vt {y} {x}" for x, y in grid] if coordinates else []
    for row in range(SIDE - 1):
        for column in range(SIDE - 1):
            a = row * SIDE + column + 1
            b, c, d = a + 1, a + SIDE + 1, a + SIDE
            for face in [(a, b, c), (a, c, d)] if triangles else [(a, b, c, d)]:
                lines.append("f " + " ".join(f"{i}/{i}" if coordinates else str(i) for i in face))
    path = folder / name
    path.write_text("\n".join(lines) + "\n" + more)
    return path


def constraints(report):
    return {phase["type"]: phase["constraints"] for phase in report["phase_constraints"]}


def test_a_sheet_is_reported_on_and_nothing_is_wrong_with_it(folder):
    mesh = write_sheet(folder)
    report = clothc_json("cook", mesh)
    assert list(report) == ["mesh", *INFO, "phase_constraints", "diagnostics", "notes", "warnings", "files"]
    assert report["mesh"] == str(mesh) and report["particles"] == 36 and report["triangles"] == 50
    assert report["pinned"] == SIDE and report["unpinned_components"] == 0 and report["tethers_per_particle"] == 1
    assert report["diagnostics"] == report["notes"] == report["warnings"] == report["files"] == []
    process = clothc("cook", mesh)
    assert "36 particles (6 pinned" in process.stdout and report["content_hash"] in process.stdout and not process.stderr


def test_every_option_changes_what_it_names(folder):
    # The additional vertices lie near two corners.
    mesh = write_sheet(folder, more="v 0 1 0.001\nv 0.5 1 0.3\nv 1 1 0.001\nf 37 38 39\n")
    plain = clothc_json("cook", mesh)
    assert plain["particles"] == 39 and plain["components"] == 2
    welded = clothc_json("cook", mesh, "--weld", 0.002)
    assert welded["particles"] == 37 and welded["welded"] == 2 and welded["components"] == 1
    kept = clothc_json("cook", write_sheet(folder, "twice.obj", more="v 0 1 0\nv 0 2 0\nv 1 2 0\nf 37 38 39\n"), "--weld", -1)
    assert kept["particles"] == 39 and kept["welded"] == 0
    none = clothc_json("cook", mesh, "--pin", "none")
    assert none["pinned"] == 0 and none["untethered"] == 39 and none["unpinned_components"] == 2
    assert clothc_json("cook", mesh, "--pin", "highest:0.5")["pinned"] == 3 * SIDE + 3
    hashes = {clothc_json("cook", mesh, *options)["content_hash"] for options in [
        [], ["--density", 0.4], ["--density", 0.6], ["--unit", 0.1], ["--pin", "highest:1"]]}
    assert len(hashes) == 5, hashes
    assert clothc_json("cook", mesh, "--density", 0.2)["content_hash"] == plain["content_hash"]
    assert clothc_json("cook", mesh, "--tethers", 0)["tethers_per_particle"] == 0
    assert clothc_json("cook", mesh, "--tethers", 3)["tethers_per_particle"] == 3
    assert plain["virtual_particles"] == 0
    assert clothc_json("cook", mesh, "--virtual-particles", 4)["virtual_particles"] == 4 * plain["triangles"]
    quads = write_sheet(folder, "quads.obj", triangles=False)
    assert set(constraints(clothc_json("cook", quads))) == {"stretch", "shear", "bend"}
    assert set(constraints(clothc_json("cook", quads, "--no-shear"))) == {"stretch", "bend"}
    assert set(constraints(clothc_json("cook", quads, "--no-bend"))) == {"stretch", "shear"}
    assert clothc_json("cook", mesh, "--keep-order")["reordered"] is False


def test_triangles_become_the_quads_that_they_were(folder):
    merged = clothc_json("cook", write_sheet(folder), "--quadify")
    quads = clothc_json("cook", write_sheet(folder, "quads.obj", triangles=False))
    assert merged["merged_triangles"] == 25 and quads["merged_triangles"] == 0
    assert constraints(merged) == constraints(quads), (merged, quads)


def test_edges_are_told_apart_by_a_gravity_hint_or_by_texture_coordinates(folder):
    mesh = write_sheet(folder, triangles=False, coordinates=True)
    sides = SIDE * (SIDE - 1)
    hinted = constraints(clothc_json("cook", mesh, "--gravity-hint", 0, -2, 0))
    assert hinted["vertical"] == hinted["horizontal"] == sides and "stretch" not in hinted
    woven = constraints(clothc_json("cook", mesh, "--uv"))
    assert woven["warp"] == woven["weft"] == sides and "stretch" not in woven
    assert "stretch" in constraints(clothc_json("cook", mesh))


def test_a_scene_has_the_phases_that_cook_shows_and_its_settings_act(folder):
    write_sheet(folder, triangles=False, coordinates=True)
    hashes = {}
    for name, fields in {
            "plain": "", "hinted": '"gravity_hint": [0, -1, 0],', "woven": '"texture_coordinates": true,',
            "soft": '"gravity_hint": [0, -1, 0], "phases": {"vertical": {"stiffness": 0.1}},',
            "warp": '"texture_coordinates": true, "phases": {"weft": {"stiffness": 0.1}},',
            "both": '"gravity_hint": [0, -1, 0], "phases": {"horizontal": {"stiffness": 0.1}},'}.items():
        scene = folder / f"{name}.json"
        scene.write_text('{"cloths": [{' + fields + '"mesh": {"file": "sheet.obj"}, "pins": [{"highest": 0.02}], "tethers": 0}]}')
        report = clothc_json("sim", scene, "--frames", 20)
        assert report["finite"] and report["cloths"][0]["fabric"]["phases"] == (3 if name == "plain" else 4), report
        hashes[name] = report["hash"]
    assert len(set(hashes.values())) == len(hashes), hashes
    stretch = {name: clothc_json("sim", folder / f"{name}.json", "--frames", 60)["max_stretch"]
               for name in ("hinted", "soft")}
    assert stretch["soft"] > 1.5 * stretch["hinted"], stretch


def test_long_range_edges_are_cooked_and_hold_and_have_settings(folder):
    mesh = write_sheet(folder, triangles=False)
    long_range = clothc_json("cook", mesh, "--long-range", 4, 2)
    assert [phase["type"] for phase in long_range["phase_constraints"]] == ["long_range", "long_range", "bend", "stretch", "shear"], long_range["phase_constraints"]
    assert [phase["constraints"] for phase in long_range["phase_constraints"]][:2] == [2 * SIDE * (SIDE - 4), 2 * SIDE * (SIDE - 2)]
    for bad in ("1", "65", "4 4 4 4 4"):
        assert clothc("cook", mesh, "--long-range", *bad.split(), exit_code=2).stderr
    scene = folder / "long_range.json"
    stretch = {}
    for name, fields in {"plain": "", "held": '"long_range_edges": [4],',
                         "loose": '"long_range_edges": [4], "phases": {"long_range": {"stiffness": 0}},'}.items():
        scene.write_text('{"cloths": [{' + fields + '"mesh": {"file": "sheet.obj"}, "pins": [{"highest": 0.02}], "tethers": 0,'
                         '"parameters": {"solver_frequency": 60, "hierarchy_stiffness": 0}}]}')
        stretch[name] = clothc_json("sim", scene, "--frames", 60)["max_stretch"]
    assert stretch["held"] < 0.8 * stretch["plain"] and stretch["loose"] == stretch["plain"], stretch
    for fields, words in [('"long_range_edges": [1],', ["long_range_edges[0] is 1", "2 .. 64"]),
                          ('"long_range_edges": [2, 2, 2, 2, 2],', ["long_range_edges", "at most four"]),
                          ('"phases": {"long_range": {}},', ["phases.long_range", "long_range_edges"])]:
        scene.write_text('{"cloths": [{' + fields + '"mesh": {"file": "sheet.obj"}}]}')
        message = clothc("sim", scene, exit_code=2).stderr
        assert all(word in message for word in words), message


def test_what_is_wrong_with_a_mesh_is_listed(folder):
    more = """f 1 1 2
f 1 2 3
f 1 2 8
v 5 0 0
v 6 0 0
v 5.5 0.5 0
f 37 38 39
v 9 0 9
"""
    mesh = write_sheet(folder, more=more)
    report = clothc_json("cook", mesh)
    diagnostics = report["diagnostics"]
    for diagnostic in diagnostics:
        assert list(diagnostic) == ["kind", "first", "second", "count", "value", "warning", "message"], diagnostic
        assert diagnostic["message"] in report["warnings" if diagnostic["warning"] else "notes"], diagnostic
    assert len(diagnostics) == len(report["warnings"]) + len(report["notes"])
    found = {diagnostic["kind"]: diagnostic for diagnostic in diagnostics}
    assert set(found) >= {"repeated_vertex", "flat_face", "duplicate_face", "isolated_vertex", "unpinned_piece", "pieces"}
    assert found["flat_face"]["first"] == 51 and found["flat_face"]["second"] is None and found["flat_face"]["warning"]
    assert found["duplicate_face"]["first"] == 52 and found["duplicate_face"]["second"] == 0
    assert not found["duplicate_face"]["warning"] and report["dropped"] == 3
    assert found["isolated_vertex"]["first"] == 39 and report["isolated"] == 1
    assert found["unpinned_piece"]["count"] == report["unpinned_components"] == 1
    process = clothc("cook", mesh)
    for message in report["warnings"]:
        assert f"clothc: warning: {message}\n" in process.stderr
    for message in report["notes"]:
        assert f"clothc: note: {message}\n" in process.stderr


def test_sim_prints_the_first_diagnostic_of_each_kind(folder):
    loose = "".join(f"v {5 + i} 0 0\n" for i in range(20))
    mesh = write_sheet(folder, more=loose)
    assert len(clothc_json("cook", mesh)["diagnostics"]) == 16
    lines = clothc("sim", mesh, "--frames", 1).stderr.splitlines()
    assert len(lines) == 1 and "vertex 36" in lines[0] and "(1 of 20)" in lines[0], lines


def test_a_fabric_that_was_written_is_the_same_when_it_is_read(folder):
    mesh = write_sheet(folder, more="f 1 2 3\nv 9 0 9\n")
    before = clothc_json("sim", mesh, "--frames", 5)
    blob, again = folder / "sheet.clothfabric", folder / "again.clothfabric"
    cooked = clothc_json("cook", mesh, "-o", blob)
    assert cooked["files"] == [str(blob)] and not list(folder.glob("*.partial"))
    loaded = clothc_json("cook", blob, "-o", again)
    assert {**loaded, "mesh": cooked["mesh"], "files": cooked["files"]} == cooked
    assert again.read_bytes() == blob.read_bytes()
    after = clothc_json("sim", mesh, "--frames", 5)
    assert after["hash"] == before["hash"] and after["cloths"][0]["fabric"]["content_hash"] == cooked["content_hash"]
    assert f"written to {blob}" in clothc("cook", mesh, "-o", blob).stdout
    assert cooked["content_hash"] in clothc("cook", blob).stdout


def test_damaged_fabrics_are_refused_with_the_reason(folder):
    blob = folder / "sheet.clothfabric"
    clothc("cook", write_sheet(folder), "-o", blob)
    data = blob.read_bytes()
    damaged = folder / "damaged.clothfabric"
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 1
    for content in [b"", b"no fabric", data[:len(data) // 2], data + b"\0" * 64, bytes(flipped)]:
        damaged.write_bytes(content)
        message = clothc("cook", damaged, exit_code=2).stderr
        assert "damaged.clothfabric: " in message and "CLOTHC_ERROR_INVALID_ARGUMENT" in message, message
        assert message == f"clothc: {clothc_json('cook', damaged, exit_code=2)['error']}\n"


def test_a_fabric_takes_no_option_that_concerns_cooking(folder):
    blob = folder / "sheet.clothfabric"
    clothc("cook", write_sheet(folder), "-o", blob)
    for options in [["--weld", 0], ["--unit", 1], ["--pin", "none"], ["--density", 1], ["--tethers", 1],
                    ["--virtual-particles", 1], ["--gravity-hint", 0, 1, 0], ["--uv"], ["--quadify"], ["--keep-order"], ["--no-shear"], ["--no-bend"]]:
        message = clothc("cook", blob, *options, exit_code=2).stderr
        assert f"cooked already; leave out {options[0]}\n" in message, message


def test_refused_meshes_are_json_too_and_leave_no_fabric(folder):
    mesh, blob = folder / "mesh.obj", folder / "mesh.clothfabric"
    for text, words in [("v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n", "three finite"), ("", "no face"),
                        ("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "none of the mesh's 1 faces")]:
        mesh.write_text(text)
        process = clothc("cook", mesh, "-o", blob, "--json", exit_code=2)
        document = clothc_json("cook", mesh, "-o", blob, exit_code=2)
        assert list(document) == ["mesh", "error"] and document["mesh"] == str(mesh)
        assert words in document["error"] and process.stderr == f"clothc: {document['error']}\n", process.stderr
        assert not blob.exists() and not list(folder.glob("*.partial"))
    assert "cannot read" in clothc_json("cook", folder / "missing.clothfabric", exit_code=2)["error"]


def test_wrong_usage_is_refused(folder):
    mesh = write_sheet(folder)
    for options, word in [(["-o", folder / "sheet.obj"], ".clothfabric"), (["-o", folder / "no" / "x.clothfabric"], "cannot open"),
                          (["--weld", -2], "--weld"), (["--density", 0], "--density"), (["--tethers", 5], "--tethers"), (["--virtual-particles", 2], "--virtual-particles"),
                          (["--pin", "lowest"], "highest:PART"), (["--pin", "highest:2"], "highest:PART"),
                          (["--pin", "highest:"], "highest:PART"), (["--gravity-hint", 0, 0, 0], "--gravity-hint"),
                          (["--gravity-hint", 0, 1], "--gravity-hint"), (["--uv"], "no texture coordinates"),
                          (["--uv", "--gravity-hint", 0, 1, 0], "excludes")]:
        message = clothc("cook", mesh, *options, exit_code=2).stderr
        assert word in message, f"no '{word}' in {message}"
    assert clothc_json("cook", mesh, "--uv", exit_code=2)["mesh"] == str(mesh)


run_tests(dict(globals()))
