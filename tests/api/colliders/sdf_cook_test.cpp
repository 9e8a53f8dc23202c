// sdf_cook_test.cpp - cooking signed distance fields from meshes through the API: first the grid and the size, then the
// values; the sign inside; meshes that are not closed; and every refusal with its message and without output.
#include <algorithm>
#include <cmath>

#include "support/refusals.h"

using namespace clothc_test;

namespace sdf_cook_test {
namespace {

// A box with sides 2, 1 and 1 around the origin.
struct Box {
  std::vector<float> vertices;
  std::vector<uint32_t> triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                     2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  Box() {
    for (uint32_t k = 0; k < 8; ++k) {
      vertices.insert(vertices.end(),
                      {(k & 1) != 0 ? 1.0f : -1.0f, (k & 2) != 0 ? 0.5f : -0.5f, (k & 4) != 0 ? 0.5f : -0.5f});
    }
  }
  clothc_sdf_cook_desc desc() const {
    clothc_sdf_cook_desc d = initialised<clothc_sdf_cook_desc>();
    d.vertex_count = static_cast<uint32_t>(vertices.size() / 3);
    d.vertices = vertices.data();
    d.triangle_count = static_cast<uint32_t>(triangles.size() / 3);
    d.triangles = triangles.data();
    return d;
  }
};

struct Cooked {
  clothc_sdf_desc sdf = initialised<clothc_sdf_desc>();
  std::vector<float> values;
  explicit Cooked(const clothc_sdf_cook_desc& desc) {
    uint64_t size = 0;
    EXPECT_OK(clothc_sdf_cook(&desc, &sdf, nullptr, &size));
    EXPECT_EQ(sdf.values, nullptr);
    EXPECT_EQ(size, uint64_t{4} * sdf.counts[0] * sdf.counts[1] * sdf.counts[2]);
    values.resize(size / 4, not_a_number);
    size += 100;
    EXPECT_OK(clothc_sdf_cook(&desc, &sdf, values.data(), &size));
    EXPECT_EQ(sdf.values, values.data());
    EXPECT_EQ(size, uint64_t{4} * values.size());
  }
  // Calls the body with each node's position and value.
  template <class Body>
  void for_each(Body body) const {
    for (size_t k = 0; k < values.size(); ++k) {
      const size_t at[3] = {k % sdf.counts[0], k / sdf.counts[0] % sdf.counts[1], k / sdf.counts[0] / sdf.counts[1]};
      double position[3];
      for (size_t axis = 0; axis < 3; ++axis) {
        position[axis] =
            static_cast<double>(sdf.origin[axis]) + static_cast<double>(sdf.spacing) * static_cast<double>(at[axis]);
      }
      body(position, static_cast<double>(values[k]));
    }
  }
};

double box_distance(const double* x) {
  const double half[3] = {1, 0.5, 0.5};
  double outside_square = 0, inside = -1e9;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double beyond = std::fabs(x[axis]) - half[axis];
    outside_square += beyond > 0 ? beyond * beyond : 0;
    inside = std::max(inside, beyond);
  }
  return inside < 0 ? inside : std::sqrt(outside_square);
}

TEST(SdfCook, gives_the_distances_of_a_box_below_0_inside_whichever_way_it_is_wound) {
  for (const bool turned : {false, true}) {
    Box box;
    for (size_t k = 0; turned && k < box.triangles.size(); k += 3) std::swap(box.triangles[k], box.triangles[k + 1]);
    clothc_sdf_cook_desc desc = box.desc();
    desc.resolution = 24;
    const Cooked cooked(desc);
    size_t below_zero = 0;
    cooked.for_each([&](const double* x, double value) {
      below_zero += value < 0 ? 1 : 0;
      ASSERT_NEAR(value, box_distance(x), 1e-5) << x[0] << ", " << x[1] << ", " << x[2];
    });
    EXPECT_GT(below_zero, 500u);
  }
}

TEST(SdfCook, lays_the_grid_around_the_mesh_with_two_cells_or_what_is_asked_for) {
  const Box box;
  EXPECT_EQ(box.desc().resolution, 64u);
  EXPECT_EQ(box.desc().padding, 0.0f);
  for (const uint32_t resolution : {16u, 64u}) {
    for (const float padding : {0.0f, 0.25f, 3.0f}) {
      clothc_sdf_cook_desc desc = box.desc();
      desc.resolution = resolution;
      desc.padding = padding;
      clothc_sdf_desc sdf = initialised<clothc_sdf_desc>();
      uint64_t size = 0;
      ASSERT_OK(clothc_sdf_cook(&desc, &sdf, nullptr, &size));
      EXPECT_EQ(sdf.counts[0], resolution);
      EXPECT_EQ(sdf.counts[1], sdf.counts[2]);
      const double h = static_cast<double>(sdf.spacing);
      const double wanted = padding > 0 ? static_cast<double>(padding) : 2 * h;
      EXPECT_NEAR(h * (resolution - 1), 2 + 2 * wanted, 1e-4);
      const double half[3] = {1, 0.5, 0.5};
      for (size_t axis = 0; axis < 3; ++axis) {
        const double low = static_cast<double>(sdf.origin[axis]), high = low + h * (sdf.counts[axis] - 1);
        EXPECT_NEAR(low, -high, 1e-4) << "centred";
        EXPECT_GE(high, half[axis] + wanted - 1e-4) << "axis " << axis;
        EXPECT_LE(high, half[axis] + wanted + h) << "axis " << axis;
      }
    }
  }
}

TEST(SdfCook, makes_sdfs_that_solvers_take_whatever_the_resolution) {
  Scene scene(CLOTHC_BACKEND_CPU);
  const Box box;
  for (const uint32_t resolution : {2u, 3u, 5u, 7u, 8u, 40u}) {
    clothc_sdf_cook_desc desc = box.desc();
    desc.resolution = resolution;
    const Cooked cooked(desc);
    clothc_collider_asset_id id = 0;
    EXPECT_OK(clothc_collider_sdf_create(scene.solver, &cooked.sdf, &id)) << resolution;
  }
}

TEST(SdfCook, finds_an_inside_of_a_mesh_that_is_not_closed) {
  Box open;
  // This removes a side of area 1 across x.
  open.triangles.resize(30);
  clothc_sdf_cook_desc desc = open.desc();
  desc.resolution = 32;
  desc.padding = 0.5f;
  Cooked(desc).for_each([](const double* x, double value) {
    if (x[0] < 0 && box_distance(x) < -0.1) {
      ASSERT_LT(value, 0) << x[0] << ", " << x[1] << ", " << x[2];
    }
    if (box_distance(x) > 0.25) {
      ASSERT_GT(value, 0) << x[0] << ", " << x[1] << ", " << x[2];
    }
  });
}

TEST(SdfCook, takes_triangles_without_an_area_beside_others_and_vertices_by_threes) {
  const Box box;
  Box soup, with_flat;
  soup.vertices.clear();
  for (const uint32_t corner : box.triangles) {
    soup.vertices.insert(soup.vertices.end(), &box.vertices[3 * corner], &box.vertices[3 * corner] + 3);
  }
  with_flat.triangles.insert(with_flat.triangles.end(), {0, 0, 1, 3, 3, 3});
  clothc_sdf_cook_desc desc = box.desc();
  desc.resolution = 12;
  const Cooked expected(desc);
  clothc_sdf_cook_desc of_soup = soup.desc();
  of_soup.resolution = 12;
  of_soup.triangles = nullptr;
  EXPECT_EQ(Cooked(of_soup).values, expected.values);
  clothc_sdf_cook_desc flat = with_flat.desc();
  flat.resolution = 12;
  const Cooked cooked(flat);
  for (size_t k = 0; k < cooked.values.size(); ++k) ASSERT_NEAR(cooked.values[k], expected.values[k], 1e-5);
}

void expect_cook_fails(const clothc_sdf_cook_desc& desc, std::initializer_list<const char*> parts) {
  clothc_sdf_desc sdf = initialised<clothc_sdf_desc>();
  sdf.spacing = 77;
  const clothc_sdf_desc before = sdf;
  std::vector<float> values(300000, 77.0f);
  uint64_t size = values.size() * 4;
  expect_failure(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_sdf_cook(&desc, &sdf, values.data(), &size), parts, "sdf_cook");
  EXPECT_EQ(size, values.size() * 4);
  EXPECT_EQ(std::memcmp(&sdf, &before, sizeof(sdf)), 0);
  EXPECT_EQ(values, std::vector<float>(values.size(), 77.0f));
}

TEST(SdfCook, refuses_by_name_and_writes_nothing) {
  using D = clothc_sdf_cook_desc;
  Box box;
  const auto refuses = [&](const std::function<void(D&)>& change, std::initializer_list<const char*> parts) {
    D desc = box.desc();
    change(desc);
    expect_cook_fails(desc, parts);
  };
  refuses([](D& d) { d.vertex_count = 0; }, {"vertex_count is 0", "want 1 to 2^24"});
  refuses([](D& d) { d.triangle_count = 0; }, {"triangle_count is 0", "want 1 to 2^23"});
  refuses([](D& d) { d.vertices = nullptr; }, {"vertices is null"});
  refuses([](D& d) { d.triangles = nullptr; }, {"8 vertices are too few"});
  refuses([](D& d) { d.reserved = 1; }, {"reserved is 1; want 0"});
  for (const uint32_t resolution : {0u, 1u, 1025u, 0xffffffffu}) {
    refuses([=](D& d) { d.resolution = resolution; }, {"resolution is", "want 2 to 1024"});
  }
  for (const float padding : outside(0, 1e9f)) {
    refuses([=](D& d) { d.padding = padding; }, {"padding is", "two cells"});
  }
  refuses([](D& d) { d.vertex_count = 7; }, {"triangle 2", "want below vertex_count 7"});
  for (const float bad : outside(-1e9f, 1e9f)) {
    const float before = std::exchange(box.vertices[10], bad);
    refuses([](D&) {}, {"vertex 3", "within +-1e9"});
    box.vertices[10] = before;
  }
  box.triangles = {0, 0, 1, 2, 2, 2};
  refuses([](D& d) { d.resolution = 8; }, {"none of the 2 triangles has three different corners"});
}

TEST(SdfCook, refuses_a_size_that_is_too_small_and_missing_outputs) {
  const Box box;
  clothc_sdf_cook_desc desc = box.desc();
  desc.resolution = 10;
  clothc_sdf_desc sdf = initialised<clothc_sdf_desc>();
  uint64_t size = 0;
  ASSERT_OK(clothc_sdf_cook(&desc, &sdf, nullptr, &size));
  const uint64_t needed = size;
  std::vector<float> values(needed / 4, 77.0f);
  for (const uint64_t small : {uint64_t{0}, needed - 4, needed - 1}) {
    size = small;
    sdf = initialised<clothc_sdf_desc>();
    sdf.spacing = 77;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_sdf_cook(&desc, &sdf, values.data(), &size), "size is",
                 std::to_string(needed).c_str());
    EXPECT_EQ(size, small);
    EXPECT_EQ(sdf.spacing, 77.0f);
  }
  EXPECT_EQ(values, std::vector<float>(values.size(), 77.0f));
  size = needed;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_sdf_cook(&desc, &sdf, nullptr, nullptr),
               "the size pointer is null");
  EXPECT_NE(clothc_sdf_cook(&desc, nullptr, values.data(), &size), CLOTHC_SUCCESS);
  EXPECT_NE(clothc_sdf_cook(nullptr, &sdf, values.data(), &size), CLOTHC_SUCCESS);
  sdf.struct_size = 3;
  EXPECT_EQ(clothc_sdf_cook(&desc, &sdf, values.data(), &size), CLOTHC_ERROR_INVALID_STRUCT);
  EXPECT_EQ(size, needed);
}

TEST(SdfCook, takes_meshes_of_many_sizes) {
  for (const float size : {1e-5f, 1e-2f, 1e3f, 3e6f}) {
    Box box;
    for (float& x : box.vertices) x *= size;
    clothc_sdf_cook_desc desc = box.desc();
    desc.resolution = 12;
    Cooked(desc).for_each([&](const double* x, double value) {
      const double scaled[3] = {x[0] / static_cast<double>(size), x[1] / static_cast<double>(size),
                                x[2] / static_cast<double>(size)};
      ASSERT_NEAR(value / static_cast<double>(size), box_distance(scaled), 1e-4) << "size " << size;
    });
  }
}

// A triangle, the given way from the origin along each axis.
struct Far {
  std::vector<float> vertices;
  Far(float size, float position)
      : vertices({position, position, position, position + size, position, position, position, position + size,
                  position + size / 2}) {}
  clothc_sdf_cook_desc desc() const {
    clothc_sdf_cook_desc d = initialised<clothc_sdf_cook_desc>();
    d.vertex_count = 3;
    d.vertices = vertices.data();
    d.triangle_count = 1;
    return d;
  }
};

// Returns whether the mesh is cooked. What asks for the size, what cooks, and what takes the field must agree.
bool is_cooked(const clothc_solver solver, const clothc_sdf_cook_desc& desc) {
  clothc_sdf_desc sdf = initialised<clothc_sdf_desc>();
  uint64_t size = 0;
  const clothc_result asked = clothc_sdf_cook(&desc, &sdf, nullptr, &size);
  const std::string message = asked == CLOTHC_SUCCESS ? "" : clothc_last_error_message();
  EXPECT_LE(size, uint64_t{4} << 27);
  if (size > 40000) return true;
  std::vector<float> values(asked == CLOTHC_SUCCESS ? size / 4 : 1000);
  size = values.size() * 4;
  EXPECT_EQ(clothc_sdf_cook(&desc, &sdf, values.data(), &size), asked) << clothc_last_error_message();
  if (asked != CLOTHC_SUCCESS) {
    EXPECT_EQ(clothc_last_error_message(), message);
    EXPECT_NE(message.find("want"), std::string::npos) << message;
    return false;
  }
  clothc_collider_asset_id id = 0;
  EXPECT_OK(clothc_collider_sdf_create(solver, &sdf, &id)) << clothc_last_error_message();
  EXPECT_OK(clothc_collider_asset_destroy(solver, id));
  return true;
}

TEST(SdfCook, makes_nothing_that_solvers_refuse_and_says_so_when_it_is_asked_for_the_size) {
  Scene scene(CLOTHC_BACKEND_CPU);
  int cooked = 0, refused = 0;
  for (const float size : {0.0f, 1e-30f, 1e-6f, 2e-6f, 7e-6f, 1e-5f, 1.0f, 3e6f, 7e6f, 1e9f}) {
    for (const float position : {0.0f, 1.0f, -3e5f, 9.9e8f, -1e9f}) {
      if (position + size > 1e9f) continue;
      for (const float padding : {0.0f, 1e-9f, 1e-6f, 1.0f, 1e6f, 1e9f}) {
        for (const uint32_t resolution : {2u, 8u, 11u, 300u, 1024u}) {
          SCOPED_TRACE(std::to_string(size) + " m at " + std::to_string(position) + ", padding " +
                       std::to_string(padding) + ", resolution " + std::to_string(resolution));
          const Far mesh(size, position);
          clothc_sdf_cook_desc desc = mesh.desc();
          desc.padding = padding;
          desc.resolution = resolution;
          ++(is_cooked(scene.solver, desc) ? cooked : refused);
        }
      }
    }
  }
  EXPECT_GT(cooked, 200);
  EXPECT_GT(refused, 200);
}

TEST(SdfCook, refuses_fields_that_solvers_do_not_take_with_the_remedy) {
  const auto refuses = [](const Far& mesh, float padding, uint32_t resolution,
                          std::initializer_list<const char*> parts) {
    clothc_sdf_cook_desc desc = mesh.desc();
    desc.padding = padding;
    desc.resolution = resolution;
    expect_cook_fails(desc, parts);
  };
  refuses(Far(1e-6f, 0), 0, 64, {"apart; want 1e-6 to 1e6 m", "padding, which is 0 m", "resolution, which is 64"});
  refuses(Far(1e9f, 0), 0, 64, {"apart; want 1e-6 to 1e6 m", "another scale"});
  refuses(Far(1, 0), 1e9f, 64, {"apart; want 1e-6 to 1e6 m", "padding, which is 1e+09 m"});
  refuses(Far(1000, -1e9f), 100, 64,
          {"origin[0] would be -1.000000", "; want within +-1e9", "padding, which is 100 m", "move"});
  refuses(Far(1, 0), 100, 1024, {"1024 x 1024 x 1022 nodes; want at most 2^27", "resolution, which is 1024"});
}

// Two small triangles at opposite corners of a square of 1.018e9 m, which is as large as a field can be.
TEST(SdfCook, ends_distances_at_what_solvers_take) {
  Scene scene(CLOTHC_BACKEND_CPU);
  constexpr float half = 5.09e8f;
  const float vertices[] = {-half, -half, 0, 1000 - half, -half, 0, -half, 1000 - half, 0,
                            half,  half,  0, half - 1000, half,  0, half,  half - 1000, 0};
  clothc_sdf_cook_desc desc = initialised<clothc_sdf_cook_desc>();
  desc.vertex_count = 6;
  desc.vertices = vertices;
  desc.triangle_count = 2;
  desc.resolution = 1024;
  const Cooked cooked(desc);
  EXPECT_EQ(*std::max_element(cooked.values.begin(), cooked.values.end()), 1e9f);
  clothc_collider_asset_id id = 0;
  EXPECT_OK(clothc_collider_sdf_create(scene.solver, &cooked.sdf, &id)) << clothc_last_error_message();
}

}  // namespace
}  // namespace sdf_cook_test
