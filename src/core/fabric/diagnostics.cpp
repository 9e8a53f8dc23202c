// diagnostics.cpp - describes each problem that the cooker found in a mesh by a sentence that names the element and
// suggests a remedy.
#include "core/fabric/diagnostics.h"

#include <cstdio>

#include "cook/diagnostic_list.h"
#include "core/fabric/fabric.h"
#include "core/base/structs.h"

namespace clothc {
namespace {

static_assert(cook::diagnostic_repeated_vertex == CLOTHC_DIAGNOSTIC_REPEATED_VERTEX &&
                  cook::diagnostic_flat_face == CLOTHC_DIAGNOSTIC_FLAT_FACE &&
                  cook::diagnostic_duplicate_face == CLOTHC_DIAGNOSTIC_DUPLICATE_FACE &&
                  cook::diagnostic_non_manifold_edge == CLOTHC_DIAGNOSTIC_NON_MANIFOLD_EDGE &&
                  cook::diagnostic_flipped_face == CLOTHC_DIAGNOSTIC_FLIPPED_FACE &&
                  cook::diagnostic_isolated_vertex == CLOTHC_DIAGNOSTIC_ISOLATED_VERTEX &&
                  cook::diagnostic_unpinned_piece == CLOTHC_DIAGNOSTIC_UNPINNED_PIECE &&
                  cook::diagnostic_unwelded_vertex == CLOTHC_DIAGNOSTIC_UNWELDED_VERTEX &&
                  cook::diagnostic_many_edges == CLOTHC_DIAGNOSTIC_MANY_EDGES &&
                  cook::diagnostic_short_edge == CLOTHC_DIAGNOSTIC_SHORT_EDGE &&
                  cook::diagnostic_low_precision == CLOTHC_DIAGNOSTIC_LOW_PRECISION &&
                  cook::diagnostic_mass_limited == CLOTHC_DIAGNOSTIC_MASS_LIMITED &&
                  cook::diagnostic_pieces == CLOTHC_DIAGNOSTIC_PIECES,
              "the cooker's kinds are the public ones");

constexpr size_t message_size = sizeof(clothc_diagnostic::message);

// Writes the sentence about a diagnostic, without its number among those of its kind. Each number in it takes at most
// 13 characters, so the sentence fits.
void write_sentence(const Diagnostic& found, char (&text)[message_size]) {
  const uint32_t a = found.first, b = found.second;
  const double value = static_cast<double>(found.value);
  const auto write = [&](const char* format, auto... values) { std::snprintf(text, message_size, format, values...); };
  switch (found.kind) {
    case CLOTHC_DIAGNOSTIC_REPEATED_VERTEX:
      return write(
          "face %u has two corners on one particle and %s; if they were welded by mistake, lower weld_distance", a,
          value > 0 ? "became a triangle" : "was left out");
    case CLOTHC_DIAGNOSTIC_FLAT_FACE:
      return write(
          "face %u, %g m long, has its corners on a line and was left out, so cloth may come apart there; "
          "delete it and join its neighbours, or move a corner",
          a, value);
    case CLOTHC_DIAGNOSTIC_DUPLICATE_FACE:
      return write("face %u has the corners of face %u and was left out; delete one of them", a, b);
    case CLOTHC_DIAGNOSTIC_NON_MANIFOLD_EDGE:
      return write(
          "the edge of vertices %u and %u has %g faces, so nothing bends across it; split it into edges of at "
          "most two faces each",
          a, b, value);
    case CLOTHC_DIAGNOSTIC_FLIPPED_FACE:
      return write(
          "the two faces on the edge of vertices %u and %u wind opposite ways, so normals disagree there; "
          "turn one of them over",
          a, b);
    case CLOTHC_DIAGNOSTIC_ISOLATED_VERTEX:
      return write(
          "vertex %u is in no face that was kept, so nothing holds it; delete it, or join it to the cloth by a "
          "face or a larger weld_distance",
          a);
    case CLOTHC_DIAGNOSTIC_UNPINNED_PIECE:
      return write(
          "the piece with vertex %u has no pinned particle and falls, while others are held; pin one of its "
          "vertices (inverse mass 0) or join it to a pinned piece",
          a);
    case CLOTHC_DIAGNOSTIC_UNWELDED_VERTEX:
      return write(
          "vertices %u and %u are %g m apart and not joined; if they are meant as one, raise weld_distance "
          "above that",
          a, b, value);
    case CLOTHC_DIAGNOSTIC_MANY_EDGES:
      return write(
          "vertex %u has %g edges, which are solved in many small colours and cost time; spread them over "
          "several vertices",
          a, value);
    case CLOTHC_DIAGNOSTIC_SHORT_EDGE:
      return write(
          "the edge of vertices %u and %u, %g m, is below a thousandth of the mean and makes the cloth around "
          "it stiff; weld its ends (weld_distance) or remesh",
          a, b, value);
    case CLOTHC_DIAGNOSTIC_LOW_PRECISION:
      return write(
          "the edge of vertices %u and %u, %g m, is so far from the origin that floats distort it; move the "
          "mesh to the origin, or weld its ends (weld_distance)",
          a, b, value);
    case CLOTHC_DIAGNOSTIC_MASS_LIMITED:
      return write(
          "vertex %u would weigh less than 1e-9 kg by its area, so 1e-9 kg was taken; raise areal_density, or "
          "scale the mesh if it is in another unit",
          a);
    case CLOTHC_DIAGNOSTIC_PIECES:
      return write(
          "vertex %u begins a further piece, which nothing but pins and colliders holds to the first; join "
          "them, or cook them as cloths of their own",
          a);
    default:
      return write("%s", "");
  }
}

// Returns true for kinds of diagnostics because of which the cloth may misbehave. The others are for information only.
bool is_warning(uint32_t kind) {
  switch (kind) {
    case CLOTHC_DIAGNOSTIC_REPEATED_VERTEX:
    case CLOTHC_DIAGNOSTIC_DUPLICATE_FACE:
    case CLOTHC_DIAGNOSTIC_MANY_EDGES:
    case CLOTHC_DIAGNOSTIC_PIECES:
      return false;
    default:
      return true;
  }
}

// Returns the number of a diagnostic among those of its kind, counted from 1. Diagnostics are sorted by kind.
uint32_t rank_of(const FabricData& data, uint32_t index) {
  uint32_t rank = 1;
  while (rank <= index && data.diagnostics[index - rank].kind == data.diagnostics[index].kind) ++rank;
  return rank;
}

}  // namespace

clothc_diagnostic describe_diagnostic(const FabricData& data, uint32_t index) {
  CLOTHC_REQUIRE(index < data.diagnostics.size(), "diagnostic %u does not exist; the fabric has %zu", index,
                 data.diagnostics.size());
  clothc_diagnostic diagnostic = make_default<clothc_diagnostic>();
  const Diagnostic& found = data.diagnostics[index];
  diagnostic.kind = found.kind;
  diagnostic.first = found.first;
  diagnostic.second = found.second;
  diagnostic.value = found.value;
  diagnostic.count = data.diagnostic_counts[found.kind];
  diagnostic.warning = is_warning(found.kind) ? 1 : 0;
  char sentence[message_size];
  write_sentence(found, sentence);
  if (diagnostic.count > 1) {
    std::snprintf(diagnostic.message, message_size, "%.200s (%u of %llu)", sentence, rank_of(data, index),
                  static_cast<unsigned long long>(diagnostic.count));
  } else {
    std::snprintf(diagnostic.message, message_size, "%s", sentence);
  }
  return diagnostic;
}

void require_faces(const MeshData& mesh, const FabricData& data) {
  const size_t face_count = mesh.triangles.size() / 3 + mesh.quads.size() / 4;
  if (face_count == 0 || data.triangle_count() > 0) return;
  char reason[message_size] = "";
  for (const Diagnostic& found : data.diagnostics) {
    const bool dropped =
        found.kind <= CLOTHC_DIAGNOSTIC_DUPLICATE_FACE && found.first == data.report.first_dropped_triangle;
    if (dropped) write_sentence(found, reason);
  }
  fail(CLOTHC_ERROR_INVALID_ARGUMENT, "none of the mesh's %zu faces can be simulated; the first: %s", face_count,
       reason);
}

}  // namespace clothc
