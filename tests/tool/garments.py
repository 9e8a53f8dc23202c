"""Reads the meshes of garment files, extracts connected pieces from them, and refines and widens these."""
import math


class Piece:
    """A mesh: positions [x, y, z] and faces of three or four vertices."""

    def __init__(self, positions, faces):
        self.positions, self.faces = positions, faces

    def lowest(self):
        return min(p[1] for p in self.positions)

    def refined(self):
        """Splits each face into as many faces as it has corners."""
        positions, faces, middles = list(self.positions), [], {}

        def middle(*corners):
            return [sum(self.positions[i][axis] for i in corners) / len(corners) for axis in range(3)]

        def middle_of_edge(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(positions)
                positions.append(middle(a, b))
            return middles[key]

        for face in self.faces:
            edges = [middle_of_edge(a, b) for a, b in zip(face, face[1:] + face[:1])]
            centre = len(positions)
            positions.append(middle(*face))
            faces += [[face[k], edges[k], centre, edges[k - 1]] for k in range(len(face))]
        return Piece(positions, faces)

    def widened(self, by):
        """Moves every vertex along its normal by a distance in metres."""
        normals = [[0.0, 0.0, 0.0] for _ in self.positions]
        for face in self.faces:
            a, b, c = (self.positions[i] for i in face[:3])
            d = self.positions[face[-1]]
            u, v = ([c[k] - a[k] for k in range(3)], [d[k] - b[k] for k in range(3)])
            normal = [u[k - 2] * v[k - 1] - u[k - 1] * v[k - 2] for k in range(3)]
            for i in face:
                normals[i] = [x + y for x, y in zip(normals[i], normal)]
        lengths = [math.hypot(*n) or 1.0 for n in normals]
        return Piece([[x + by * y / length for x, y in zip(p, n)]
                      for p, n, length in zip(self.positions, normals, lengths)], self.faces)

    def write(self, path):
        lines = ["v " + " ".join(f"{x:.6f}" for x in p) for p in self.positions]
        lines += ["f " + " ".join(str(i + 1) for i in face) for face in self.faces]
        path.write_text("\n".join(lines) + "\n", encoding="ascii")


def read(path, metres_per_unit=0.1):
    """Reads a mesh and merges its coincident vertices."""
    positions, positions_of_vertices, faces = {}, [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            position = tuple(metres_per_unit * float(x) for x in words[1:4])
            positions_of_vertices.append(positions.setdefault(position, len(positions)))
        elif words[:1] == ["f"]:
            faces.append([positions_of_vertices[int(word.split("/")[0]) - 1] for word in words[1:]])
    return Piece([list(position) for position in positions], faces)


def pieces(mesh):
    """Returns the connected pieces of a mesh."""
    parents = list(range(len(mesh.positions)))

    def root(a):
        while parents[a] != a:
            parents[a] = parents[parents[a]]
            a = parents[a]
        return a

    for face in mesh.faces:
        for i in face[1:]:
            parents[root(i)] = root(face[0])
    faces_of = {}
    for face in mesh.faces:
        faces_of.setdefault(root(face[0]), []).append(face)
    found = []
    for faces in faces_of.values():
        numbers = {}
        for face in faces:
            for i in face:
                numbers.setdefault(i, len(numbers))
        found.append(Piece([mesh.positions[i] for i in numbers], [[numbers[i] for i in face] for face in faces]))
    return found
