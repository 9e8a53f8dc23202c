"""A skirt over trousers on a body, cut from two third-party garments: everything comes to rest, and no layers are
pressed into each other."""
import json
import sys

from garments import pieces, read
from running import ASSETS, SKIPPED, clothc_json, run_tests

WANTED = ["female_casualsuit01.obj", "female_elegantsuit01.obj", "female_generic.obj"]
if any(not (ASSETS / name).exists() for name in WANTED):
    print(f"skipped: {', '.join(WANTED)} are not all in {ASSETS}")
    sys.exit(SKIPPED)


def cloth(name, density, bend):
    against_cloth = {f"{kind}_collision_{what}": value for kind in ["self", "inter"]
                     for what, value in [("distance", 0.012), ("friction", 0.3), ("damping", 1)]}
    return {"name": name, "mesh": {"file": f"{name}.obj"}, "pins": [{"highest": 0.06}], "areal_density": density,
            "ignore_neighbours": True,
            "parameters": {"solver_frequency": 480, "damping": [0.2, 0.2, 0.2], "friction": 0.4, "contact_margin": 0.004,
                           "sleep_threshold": 0.03, **against_cloth},
            "phases": {"bend": {"stiffness": bend}}}


def test_a_skirt_over_trousers(folder):
    lowest = [min(pieces(read(ASSETS / name)), key=lambda piece: piece.lowest()) for name in WANTED[:2]]
    lowest[0].refined().widened(0.006).write(folder / "trousers.obj")
    lowest[1].refined().refined().widened(0.024).write(folder / "skirt.obj")
    read(ASSETS / WANTED[2]).write(folder / "body.obj")
    scene = {"frames": 300, "cloths": [cloth("trousers", 0.3, 1), cloth("skirt", 0.2, 0.3)],
             "colliders": {"triangles": [{"file": "body.obj", "reach": 0.05}]}}
    (folder / "layers.json").write_text(json.dumps(scene), encoding="ascii")
    report = clothc_json("sim", folder / "layers.json")
    contacts = report["contacts"]
    print(f"{sum(c['fabric']['particles'] for c in report['cloths'])} particles, {report['ms_per_frame']:.1f} ms per frame: "
          f"{contacts['in_contact']} pairs touch, the nearest at {contacts['nearest']:.3f} of the distance, "
          f"{contacts['below_half']} below half; {report['kinetic_energy']:.2g} J left")
    assert report["finite"] and report["kinetic_energy"] < 1e-3, report["kinetic_energy"]
    assert contacts["in_contact"] > 100 and contacts["below_half"] == 0, contacts


run_tests(dict(globals()))
