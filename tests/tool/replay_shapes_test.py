"""`clothc replay` passes shapes, virtual particles and collision settings to the library as FORMAT.md says: three
particles at rest without gravity stay where they are if and only if no shape reaches them."""
import json
import struct

from running import clothc, run_tests

# x y z 1/m for each particle.
PARTICLES = [0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1]


class Data:
    """The .bin of a reference while it is written."""

    def __init__(self):
        self.bytes = b""

    def array(self, dtype, values, columns=None):
        shape = [len(values)] if columns is None else [len(values) // columns, columns]
        offset = len(self.bytes)
        self.bytes += struct.pack(f"<{len(values)}{'f' if dtype == 'f4' else 'I'}", *values)
        return {"offset": offset, "dtype": dtype, "shape": shape}


def replay(folder, want, inputs=(), virtual=None, parameters=None, **fields):
    """Runs three particles at rest with inputs: a list, per frame, of shapes as {"spheres_target": (columns, values)}."""
    data = Data()
    particles = data.array("f4", PARTICLES, 4)
    entries = []
    for frame, shapes in enumerate(inputs):
        entries.append({"frame": frame, **{name: data.array("f4", value[1], value[0]) if isinstance(value, tuple) else value
                                           for name, value in shapes.items()}})
    if virtual:
        virtual = {"indices": data.array("u4", virtual[0], 4), "weights": data.array("f4", virtual[1], 3)}
    fabric = {"phase_indices": data.array("u4", []), "sets": data.array("u4", []), "rest_values": data.array("f4", []),
              "indices": data.array("u4", [], 2), "stiffness_values": None, "tether_anchors": None,
              "tether_lengths": None, "triangles": None, "phase_types": []}
    cloth = {"num_particles": 3, "particles": particles, "particles_previous": None, "fabric": fabric,
             "phase_configs": [], "initial_pose": None, "capsules": [], "convex_masks": [], "virtual_particles": virtual,
             "params": {"gravity": [0, 0, 0], "solver_frequency": 240, "stiffness_frequency": 10, **(parameters or {})},
             "frame_inputs": entries, "outputs": {"scalar": {"2": {"current": particles}}}, **fields}
    header = {"format": "clothref-1", "name": "shapes", "bin": "shapes.bin", "frames": 2, "dt": [1 / 60, 1 / 60],
              "output_frames": [2], "inter_collision": None, "judge": {"tolerance": [1e-5], "aggregate": None},
              "cloths": [cloth]}
    (folder / "shapes.bin").write_bytes(data.bytes)
    (folder / "shapes.json").write_text(json.dumps(header))
    process = clothc("replay", "--backend", "cpu", folder / "shapes.json",
                     exit_code={"pass": 0, "FAIL": 1}.get(want, 2))
    assert want in process.stdout + process.stderr, process.stdout + process.stderr


def spheres(*values):
    return (4, list(values))


def test_a_capsule_joins_its_spheres_until_they_are_cleared(folder):
    # Particle 0 is beside the axis and outside both spheres.
    ends = spheres(0.25, -1, 0, 0.5, 0.25, 1, 0, 0.5)
    replay(folder, "pass", [{"spheres_target": ends}])
    replay(folder, "FAIL", [{"spheres_target": ends}], capsules=[0, 1])
    replay(folder, "pass", [{"spheres_target": ends, "clear_spheres": True}], capsules=[0, 1])
    replay(folder, "capsule names sphere 2, but there are 2", [{"spheres_target": ends}], capsules=[0, 2])


def test_triangles_pull_particles_in_front_however_far_away_until_they_are_cleared(folder):
    # The triangle faces upwards, so the particles are behind it.
    above = (9, [0, 5, 0, 0, 5, 1, 1, 5, 0])
    below = (9, [0, -5, 0, 0, -5, 1, 1, -5, 0])
    replay(folder, "FAIL", [{"triangles_target": above}])
    replay(folder, "pass", [{"triangles_target": below}])
    replay(folder, "FAIL", [{"triangles_target": below}, {"triangles_target": above, "triangles_start": below}])
    replay(folder, "pass", [{"triangles_target": above, "clear_triangles": True}])
    replay(folder, "triangles_target beside", [{"triangles_start": above}])
    replay(folder, "want a shape of [n,9]", [{"triangles_target": (3, [0, 5, 0, 0, 5, 1, 1, 5, 0])}])


def test_virtual_particles_collide(folder):
    # Particles 0 and 1 are half a metre away.
    between = spheres(0.5, 0.125, 0, 0.25)
    half = ([0, 1, 2, 0], [0.5, 0.5, 0])
    replay(folder, "pass", [{"spheres_target": between}])
    replay(folder, "FAIL", [{"spheres_target": between}], virtual=half)
    replay(folder, "names particle or weights 1", [{"spheres_target": between}], virtual=([0, 1, 2, 1], [0.5, 0.5, 0]))
    replay(folder, "want below 3", [{"spheres_target": between}], virtual=([0, 1, 3, 0], [0.5, 0.5, 0]))


def test_a_sphere_that_jumps_over_a_particle_hits_it_with_continuous_collision_only(folder):
    jump = {"spheres_start": spheres(-8.5, 0.125, 0, 0.25), "spheres_target": spheres(11.5, 0.125, 0, 0.25)}
    replay(folder, "pass", [jump], parameters={"continuous_collision": 0})
    replay(folder, "FAIL", [jump], parameters={"continuous_collision": 1})
    replay(folder, "FAIL", [{**jump, "set": {"continuous_collision": True}}])
    replay(folder, "continuous_collision has 2 components", parameters={"continuous_collision": [1, 0]})
    replay(folder, "pass", [jump], parameters={"collision_mass_scale": 1000})
    replay(folder, "collision_mass_scale has 3", parameters={"collision_mass_scale": [1, 1, 1]})


run_tests(dict(globals()))
