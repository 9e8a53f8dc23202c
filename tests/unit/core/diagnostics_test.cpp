// diagnostics_test.cpp - the text of diagnostics, and meshes that are refused.
#include "core/fabric/diagnostics.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

#include "core/fabric/fabric.h"
#include "core/base/result.h"

namespace clothc::diagnostics_test {
namespace {

FabricData with_diagnostic(const Diagnostic& diagnostic, uint64_t count) {
  FabricData data;
  data.diagnostics = {diagnostic};
  data.diagnostic_counts[diagnostic.kind] = count;
  return data;
}

std::string message_of(const Diagnostic& diagnostic) {
  return describe_diagnostic(with_diagnostic(diagnostic, 1), 0).message;
}

TEST(Diagnostics, each_kind_has_its_sentence) {
  const std::pair<Diagnostic, const char*> cases[] = {
      {{1, 5, no_index, 0}, "face 5 has two corners on one particle and was left out; "},
      {{1, 5, no_index, 1}, "face 5 has two corners on one particle and became a triangle; "},
      {{2, 5, no_index, 0.5f}, "face 5, 0.5 m long, has its corners on a line and was left out"},
      {{3, 5, 2, 0}, "face 5 has the corners of face 2 and was left out; delete one of them"},
      {{4, 5, 6, 3}, "the edge of vertices 5 and 6 has 3 faces, so nothing bends across it; split it"},
      {{5, 5, 6, 0}, "the two faces on the edge of vertices 5 and 6 wind opposite ways"},
      {{6, 5, no_index, 0}, "vertex 5 is in no face that was kept"},
      {{7, 5, no_index, 0}, "the piece with vertex 5 has no pinned particle and falls"},
      {{8, 5, 6, 1e-5f}, "vertices 5 and 6 are 1e-05 m apart and not joined"},
      {{9, 5, no_index, 40}, "vertex 5 has 40 edges, which are solved in many small colours"},
      {{10, 5, 6, 1e-5f}, "the edge of vertices 5 and 6, 1e-05 m, is below a thousandth of the mean"},
      {{11, 5, 6, 0.25f}, "the edge of vertices 5 and 6, 0.25 m, is so far from the origin"},
      {{12, 5, no_index, 0}, "vertex 5 would weigh less than 1e-9 kg by its area, so 1e-9 kg was taken"},
      {{13, 5, no_index, 0}, "vertex 5 begins a further piece"},
  };
  for (const auto& [diagnostic, beginning] : cases) {
    EXPECT_EQ(message_of(diagnostic).rfind(beginning, 0), 0u) << message_of(diagnostic);
  }
}

TEST(Diagnostics, a_message_always_fits_and_ends_with_its_number_among_its_kind) {
  for (uint32_t kind = 1; kind < diagnostic_kind_count; ++kind) {
    for (const float value : {0.0f, -1.2345678e-38f, std::numeric_limits<float>::max()}) {
      FabricData data = with_diagnostic({kind, 4294967294u, 4294967294u, value}, std::numeric_limits<uint64_t>::max());
      data.diagnostics.push_back(data.diagnostics[0]);
      const std::string message = describe_diagnostic(data, 1).message;
      const std::string end = " (2 of 18446744073709551615)";
      ASSERT_GT(message.size(), end.size());
      EXPECT_EQ(message.substr(message.size() - end.size()), end);
      data.diagnostic_counts[kind] = 1;
      EXPECT_EQ(describe_diagnostic(data, 1).message + end, message) << "nothing is cut off";
    }
  }
}

TEST(Diagnostics, what_is_known_of_a_diagnostic_is_handed_on_and_warnings_are_marked) {
  const uint32_t warnings = 1 << 2 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 10 | 1 << 11 | 1 << 12;
  for (uint32_t kind = 1; kind < diagnostic_kind_count; ++kind) {
    const clothc_diagnostic diagnostic = describe_diagnostic(with_diagnostic({kind, 7, 8, 2.5f}, 3), 0);
    EXPECT_EQ(diagnostic.kind, kind);
    EXPECT_EQ(diagnostic.first, 7u);
    EXPECT_EQ(diagnostic.second, 8u);
    EXPECT_EQ(diagnostic.value, 2.5f);
    EXPECT_EQ(diagnostic.count, 3u);
    EXPECT_EQ(diagnostic.warning, warnings >> kind & 1);
  }
}

std::string refusal(const MeshData& mesh) {
  try {
    require_faces(mesh, cook_mesh(mesh));
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.result, CLOTHC_ERROR_INVALID_ARGUMENT);
    return failure_message();
  }
  return "";
}

TEST(Diagnostics, a_mesh_of_which_no_face_is_left_is_refused_with_the_reason_of_the_first) {
  MeshData mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 2, 0, 0};
  EXPECT_EQ(refusal(mesh), "") << "a cloud of particles has no faces to lose";
  mesh.triangles = {0, 1, 2, 0, 0, 1};
  EXPECT_EQ(refusal(mesh).rfind("none of the mesh's 2 faces can be simulated; the first: face 0, 2 m long, has its "
                                "corners on a line",
                                0),
            0u)
      << refusal(mesh);
  mesh.triangles = {0, 0, 1};
  EXPECT_NE(refusal(mesh).find("face 0 has two corners on one particle"), std::string::npos);
  mesh.positions[4] = 1;
  mesh.triangles = {0, 0, 1, 0, 1, 2};
  EXPECT_EQ(refusal(mesh), "");
}

}  // namespace
}  // namespace clothc::diagnostics_test
