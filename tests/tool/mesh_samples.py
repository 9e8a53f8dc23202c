"""Small mesh files of every format, assembled byte by byte, and readers of the tool's output that share no code with
it."""
import base64
import json
import struct

# Two quads side by side and a pentagon below them.
POSITIONS = [(0, 2, 0), (1, 2, 0), (2, 2, 0.25), (0, 1, 0), (1, 1, 0), (2, 1, 0.125), (0.5, 0, 0), (1.5, 0, 0)]
POLYGONS = [(0, 1, 4, 3), (1, 2, 5, 4), (3, 4, 5, 7, 6)]
TRIANGLES = [(0, 1, 4), (0, 4, 3), (1, 2, 5), (1, 5, 4), (3, 4, 5), (3, 5, 7), (3, 7, 6)]
PLY_FORMATS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}


def obj(polygons=POLYGONS):
    lines = ["v %r %r %r" % p for p in POSITIONS] + ["f " + " ".join(str(v + 1) for v in f) for f in polygons]
    return ("\n".join(lines) + "\n").encode()


def ply(kind="ascii", polygons=POLYGONS, positions=POSITIONS, uvs=False, end="\n"):
    """Returns a PLY file with a colour per vertex, which the tool ignores."""
    header = ["ply", f"format {kind} 1.0", "comment made by a test", f"element vertex {len(positions)}",
              "property float x", "property double y", "property uchar red", "property float z",
              *(["property float s", "property float t"] if uvs else []),
              f"element face {len(polygons)}", "property list uchar int vertex_indices", "end_header"]
    data = (end.join(header) + end).encode()
    rows = [(x, y, 200, z) + ((x / 2, y / 2) if uvs else ()) for x, y, z in positions]
    if kind == "ascii":
        lines = [" ".join(map(repr, row)) for row in rows] + [f"{len(f)} " + " ".join(map(str, f)) for f in polygons]
        return data + "".join(line + end for line in lines).encode()
    order = PLY_FORMATS[kind]
    data += b"".join(struct.pack(order + "fdBf" + ("ff" if uvs else ""), *row) for row in rows)
    return data + b"".join(struct.pack(f"{order}B{len(f)}i", len(f), *f) for f in polygons)


def gltf_parts(triangles=TRIANGLES, positions=POSITIONS, **node):
    """Returns the JSON description and the binary data of a glTF file."""
    indices = b"".join(struct.pack("<3H", *t) for t in triangles)
    indices += bytes(-len(indices) % 4)
    data = indices + b"".join(struct.pack("<3f", *p) for p in positions)
    description = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, **node}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0}]}],
        "buffers": [{"byteLength": len(data)}],
        "bufferViews": [{"buffer": 0, "byteLength": len(indices)},
                        {"buffer": 0, "byteOffset": len(indices), "byteLength": len(data) - len(indices)}],
        "accessors": [{"bufferView": 0, "componentType": 5123, "count": 3 * len(triangles), "type": "SCALAR"},
                      {"bufferView": 1, "componentType": 5126, "count": len(positions), "type": "VEC3",
                       "min": [min(p[i] for p in positions) for i in range(3)],
                       "max": [max(p[i] for p in positions) for i in range(3)]}]}
    return description, data


def glb(parts=None):
    description, data = parts or gltf_parts()
    text = json.dumps(description).encode()
    text += b" " * (-len(text) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text
            + struct.pack("<I4s", len(data), b"BIN\0") + data)


def gltf(parts=None):
    description, data = parts or gltf_parts()
    description["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return json.dumps(description).encode()


def read_obj(path):
    """Returns positions and polygons with indices from 0."""
    lines = [line.split() for line in path.read_text().splitlines()]
    positions = [tuple(map(float, line[1:])) for line in lines if line and line[0] == "v"]
    return positions, [tuple(int(c.split("/")[0]) - 1 for c in line[1:]) for line in lines if line and line[0] == "f"]


class Glb:
    """The JSON description of a .glb file and the numbers of its accessors."""
    def __init__(self, path):
        data = path.read_bytes()
        magic, version, size, text_size, kind = struct.unpack_from("<4sIII4s", data)
        assert magic == b"glTF" and version == 2 and size == len(data) and kind == b"JSON"
        self.json = json.loads(data[20:20 + text_size])
        data_size, kind = struct.unpack_from("<I4s", data, 20 + text_size)
        assert kind == b"BIN\0" and data_size == self.json["buffers"][0]["byteLength"]
        self.data = data[28 + text_size:]

    def accessor(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        kind = {5126: "f", 5125: "I"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor["type"]]
        stride, begin = view.get("byteStride", 4 * width), view["byteOffset"] + accessor["byteOffset"]
        rows = [struct.unpack_from(f"<{width}{kind}", self.data, begin + i * stride) for i in range(accessor["count"])]
        return [row[0] for row in rows] if width == 1 else rows

    def positions(self, mesh, weights):
        """Returns the vertices of a mesh with the given weights of its morph targets."""
        primitive = self.json["meshes"][mesh]["primitives"][0]
        result = [list(p) for p in self.accessor(primitive["attributes"]["POSITION"])]
        for weight, target in zip(weights, primitive.get("targets", [])):
            if weight:
                for p, d in zip(result, self.accessor(target["POSITION"])):
                    for axis in range(3):
                        p[axis] += weight * d[axis]
        return result
