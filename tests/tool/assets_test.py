"""Third-party garments and bodies are simulated without changes: the tool reports on them, and they stay finite for
300 frames."""
import sys

from running import ASSETS, SKIPPED, clothc_json, run_tests

MESHES = sorted(ASSETS.glob("*.obj"))
if not MESHES:
    print(f"skipped: no meshes in {ASSETS}")
    sys.exit(SKIPPED)


def test_every_mesh_stays_finite(_):
    for mesh in MESHES:
        report = clothc_json("sim", mesh, "--frames", 300)
        fabric = report["cloths"][0]["fabric"]
        print(f"{mesh.name}: {fabric['particles']} particles, welded {fabric['welded']}, dropped {fabric['dropped']}, "
              f"{fabric['components']} pieces ({fabric['unpinned_components']} unpinned), "
              f"{report['ms_per_frame']:.2f} ms per frame, max stretch {report['max_stretch']:.3f}")
        assert report["finite"] and report["frames"] == 300
        assert fabric["welded"] == fabric["vertices"] - fabric["particles"] and fabric["pinned"] > 0


run_tests(dict(globals()))
