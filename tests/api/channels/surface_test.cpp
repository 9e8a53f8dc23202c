// surface_test.cpp - normals and tangents agree with their geometric definition, have the same bits on every device and
// in every storage order of particles, and are finite for all positions.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include "support/scene.h"

using namespace clothc_test;

namespace channels_surface_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Surface);

using Vector = std::array<double, 3>;

Vector difference(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector plus(const Vector& a, const Vector& b, double s) { return {a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s}; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector unit(const Vector& a) { return plus({0, 0, 0}, a, 1 / std::sqrt(dot(a, a))); }
Vector vector_at(const std::vector<float>& values, size_t k) {
  return {double{values[k * 4]}, double{values[k * 4 + 1]}, double{values[k * 4 + 2]}};
}

// A mesh with texture coordinates.
struct Model {
  std::vector<float> positions, inverse_masses, texture_coordinates;
  std::vector<uint32_t> quads;

  uint32_t add(float x, float y, float z, float u, float v, float inverse_mass = 1) {
    positions.insert(positions.end(), {x, y, z});
    texture_coordinates.insert(texture_coordinates.end(), {u, v});
    inverse_masses.push_back(inverse_mass);
    return vertex_count() - 1;
  }
  uint32_t vertex_count() const { return static_cast<uint32_t>(inverse_masses.size()); }
  clothc_mesh_desc desc() const {
    clothc_mesh_desc mesh = initialised<clothc_mesh_desc>();
    mesh.vertex_count = vertex_count();
    mesh.positions = positions.data();
    mesh.inverse_masses = inverse_masses.data();
    mesh.quad_count = quads.size() / 4;
    mesh.quads = quads.data();
    mesh.texture_coordinates = texture_coordinates.data();
    return mesh;
  }
};

// Makes columns x rows vertices in the plane y = 1 with normals along -y, u along x and v along z.
Model flat_model(uint32_t columns, uint32_t rows, float u_scale = 1) {
  Model model;
  for (uint32_t k = 0; k < columns * rows; ++k) {
    const float x = 0.25f * static_cast<float>(k % columns), z = 0.25f * static_cast<float>(k / columns);
    model.add(x, 1, z, u_scale * x, z, k < columns ? 0.0f : 1.0f);
    if (k % columns + 1 < columns && k / columns + 1 < rows)
      model.quads.insert(model.quads.end(), {k, k + 1, k + columns + 1, k + columns});
  }
  return model;
}

// Makes two sheets of 4 x 4 quads side by side that welding joins at x = 1. The texture of the second is rotated and
// mirrored.
Model seamed_model() {
  Model model = flat_model(5, 5);
  const Model second = flat_model(5, 5);
  for (size_t v = 0; v < 25; ++v) {
    const float x = second.positions[v * 3] + 1, z = second.positions[v * 3 + 2];
    model.add(x, 1, z, z, x, second.inverse_masses[v]);
  }
  for (const uint32_t corner : second.quads) model.quads.push_back(corner + 25);
  return model;
}

// Makes a sheet with shuffled vertices and face corners, in which some vertices have several copies with different
// texture coordinates.
Model shuffled_model(uint32_t columns, uint32_t rows) {
  const Model plain = flat_model(columns, rows);
  std::vector<uint32_t> order(plain.vertex_count()), number(order.size());
  std::iota(order.begin(), order.end(), 0u);
  uint32_t state = 12345;
  for (size_t k = order.size(); k > 1; --k) {
    state = state * 1664525u + 1013904223u;
    std::swap(order[k - 1], order[(state >> 8) % k]);
  }
  Model model;
  for (const uint32_t v : order) {
    const float* p = &plain.positions[v * size_t{3}];
    number[v] = model.add(p[0], p[1], p[2], p[0], p[2], plain.inverse_masses[v]);
  }
  for (size_t k = 0; k < plain.quads.size(); ++k) {
    const uint32_t v = plain.quads[k];
    const float* p = &plain.positions[v * size_t{3}];
    // Every third face has seams all around and a texture rotated by 45 degrees.
    const bool seam = k / 4 % 3 == 1;
    model.quads.push_back(seam ? model.add(p[0], p[1], p[2], p[0] + p[2], p[2] - p[0], plain.inverse_masses[v])
                               : number[v]);
  }
  return model;
}

SceneOptions options_for(clothc_backend backend) {
  SceneOptions options(backend);
  options.has_cloth = false;
  options.solver.particle_capacity = 4096;
  return options;
}

struct SurfaceScene : Scene {
  uint32_t vertex_count;
  explicit SurfaceScene(const SceneOptions& options, const clothc_mesh_desc& mesh)
      : Scene(options), vertex_count(static_cast<uint32_t>(mesh.vertex_count)) {
    replace_fabric(mesh);
    // With another cloth before it, the cloth's ranges do not begin at 0.
    add();
    cloth = add();
  }
  SurfaceScene(clothc_backend backend, const Model& model) : SurfaceScene(options_for(backend), model.desc()) {}

  template <class Element>
  std::vector<Element> array(clothc_fabric_array name) const {
    return read_fabric<Element>(fabric, name);
  }
  std::vector<float> normals() const { return get(CLOTHC_CHANNEL_NORMAL, cloth); }
  std::vector<float> tangents() const { return get(CLOTHC_CHANNEL_TANGENT, cloth); }
  // Returns what an update without time writes to a buffer bound to the channel.
  std::vector<float> bound(clothc_channel channel) {
    const clothc_buffer out = buffer(vertex_count);
    EXPECT_OK(clothc_cloth_bind(solver, cloth, channel, out, nullptr));
    step(1, 0);
    std::vector<float> values(size_t{vertex_count} * 4);
    EXPECT_OK(clothc_buffer_read(out, 0, values.size() * 4, values.data()));
    EXPECT_OK(clothc_cloth_bind(solver, cloth, channel, nullptr, nullptr));
    EXPECT_OK(clothc_buffer_destroy(out));
    return values;
  }
  // Returns the value of each vertex's particle.
  std::vector<float> by_vertex(const std::vector<float>& particles) const {
    std::vector<float> values;
    for (const uint32_t particle : array<uint32_t>(CLOTHC_FABRIC_VERTEX_MAP))
      values.insert(values.end(), &particles[particle * size_t{4}], &particles[particle * size_t{4}] + 4);
    return values;
  }
  // Drapes the cloth over a ball, so that it is curved everywhere.
  void drape() {
    const clothc_collider_set_id set = sphere_set(1, 0.4f, 1, 0.5f);
    EXPECT_OK(clothc_cloth_set_collider_sets(solver, cloth, &set, 1));
    step(15);
  }
};

void expect_all(const std::vector<float>& values, std::array<float, 4> expected) {
  for (size_t k = 0; k < values.size(); ++k) ASSERT_EQ(values[k], expected[k % 4]) << "element " << k / 4;
}

TEST_P(Surface, of_a_flat_sheet_is_exact_at_any_scale) {
  SurfaceScene scene(GetParam(), flat_model(7, 6));
  expect_all(scene.normals(), {0, -1, 0, 0});
  expect_all(scene.tangents(), {1, 0, 0, 1});
  const std::vector<float> rest = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  for (const float scale : {1e-9f, 1e-6f, 1e-3f, 1e3f, 6e8f}) {
    std::vector<float> positions = rest;
    for (size_t k = 0; k < positions.size(); ++k) positions[k] = k % 4 == 3 ? rest[k] : rest[k] * scale;
    scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, positions);
    expect_all(scene.normals(), {0, -1, 0, 0});
    expect_all(scene.tangents(), {1, 0, 0, 1});
  }
}

TEST_P(Surface, is_read_as_three_or_four_floats_into_any_layout) {
  SurfaceScene scene(GetParam(), flat_model(5, 4));
  const clothc_buffer out = scene.buffer(20, CLOTHC_FORMAT_RECORD, 20);
  std::vector<float> values(100, 7.0f);
  EXPECT_OK(clothc_buffer_write(out, 0, 400, values.data()));
  clothc_view view = initialised<clothc_view>();
  view.format = CLOTHC_FORMAT_FLOAT3;
  view.byte_offset = 4;
  const clothc_region region{scene.info(scene.cloth).first_particle, 0, 20};
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_TANGENT, out, &view, &region, 1, 0));
  EXPECT_OK(clothc_buffer_read(out, 0, 400, values.data()));
  const float expected[] = {7, 1, 0, 0, 7};
  for (size_t k = 0; k < 100; ++k) ASSERT_EQ(values[k], expected[k % 5]);
}

TEST_P(Surface, cannot_be_set) {
  SurfaceScene scene(GetParam(), flat_model(5, 4));
  const clothc_buffer in = scene.buffer(20);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_solver_set(scene.solver, CLOTHC_CHANNEL_NORMAL, in, nullptr, nullptr, 0, 0), "normal", "not set");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_solver_set(scene.solver, CLOTHC_CHANNEL_TANGENT, in, nullptr, nullptr, 0, 0), "tangent");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_ACCELERATION, in, nullptr), "POSITION",
               "PREVIOUS_POSITION", "VELOCITY", "NORMAL", "TANGENT");
}

// The mesh is a sphere with equal steps h in both angles, joined along one meridian, with holes at the poles.
// Area-weighted normals are radial except for an error of first order in h, because neighbouring rows differ in size
// and quads are split along one diagonal.
TEST_P(Surface, of_a_sphere_has_radial_normals_and_tangents_along_the_parallels) {
  constexpr uint32_t around = 48, rows = 20;
  const double pi = std::acos(-1.0), h = 2 * pi / around;
  Model model;
  for (uint32_t row = 0; row < rows; ++row) {
    const double polar = pi / 2 + h * (row + 0.5 - rows / 2.0);
    for (uint32_t k = 0; k <= around; ++k) {
      // The last column coincides with the first one.
      const double turn = h * (k % around);
      const float at[3] = {static_cast<float>(std::sin(polar) * std::cos(turn)), static_cast<float>(std::cos(polar)),
                           static_cast<float>(std::sin(polar) * std::sin(turn))};
      const uint32_t v = model.add(at[0], at[1], at[2], static_cast<float>(k) / around, static_cast<float>(row));
      if (k > 0 && row > 0) {
        const uint32_t above = v - around - 1;
        model.quads.insert(model.quads.end(), {above - 1, above, v, v - 1});
      }
    }
  }
  SurfaceScene scene(GetParam(), model);
  const std::vector<float> normals = scene.bound(CLOTHC_CHANNEL_NORMAL), tangents = scene.bound(CLOTHC_CHANNEL_TANGENT);
  double worst_normal = 0, worst_tangent = 0;
  for (uint32_t v = 0; v < model.vertex_count(); ++v) {
    const uint32_t row = v / (around + 1), first = row * (around + 1);
    const Vector radius = {model.positions[v * 3], model.positions[v * 3 + 1], model.positions[v * 3 + 2]};
    const Vector normal = vector_at(normals, v), along = unit({-radius[2], 0, radius[0]});
    if (row > 0 && row + 1 < rows) {
      worst_normal = std::max(worst_normal, std::sqrt(dot(cross(normal, radius), cross(normal, radius))));
      EXPECT_GT(dot(normal, radius), 0) << "the faces look outwards";
    }
    const Vector tangent = vector_at(tangents, v);
    worst_tangent = std::max(worst_tangent, std::sqrt(dot(difference(tangent, along), difference(tangent, along))));
    EXPECT_NEAR(dot(normal, normal), 1, 1e-6);
    EXPECT_NEAR(dot(tangent, tangent), 1, 1e-6);
    EXPECT_NEAR(dot(tangent, normal), 0, 1e-6);
    if (v != first + around) continue;
    EXPECT_TRUE(std::equal(&normals[v * 4], &normals[v * 4] + 4, &normals[first * 4])) << "the seam is closed";
    EXPECT_FALSE(std::equal(&tangents[v * 4], &tangents[v * 4] + 4, &tangents[first * 4])) << "each side has its own";
  }
  std::printf("sphere of step %.3f: normals off by %.5f, tangents by %.4f\n", h, worst_normal, worst_tangent);
  EXPECT_LT(worst_normal, 0.2 * h);
  EXPECT_LT(worst_tangent, 0.75 * h) << "at the seam, those of the facet on one side: half a step off, and more";
}

TEST_P(Surface, tangents_split_and_mirror_where_the_texture_does) {
  const Model model = seamed_model();
  SurfaceScene scene(GetParam(), model);
  EXPECT_EQ(scene.info(scene.cloth).particle_count, 45u) << "the seam is welded";
  expect_all(scene.bound(CLOTHC_CHANNEL_NORMAL), {0, -1, 0, 0});
  const std::vector<float> tangents = scene.bound(CLOTHC_CHANNEL_TANGENT);
  expect_all({tangents.begin(), tangents.begin() + 100}, {1, 0, 0, 1});
  expect_all({tangents.begin() + 100, tangents.end()}, {0, 0, 1, -1});
  // A particle on the seam has one tangent for the triangles of both sides. The two sides have 1 and 2 triangles at one
  // end, then 3 and 3, and 2 and 1 at the other end.
  const std::vector<float> particles = scene.tangents();
  const double half = std::sqrt(0.5), less = std::sqrt(0.2), more = std::sqrt(0.8);
  const double expected[5][2] = {{less, more}, {half, half}, {half, half}, {half, half}, {more, less}};
  for (size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(particles[(k * 5 + 4) * 4], expected[k][0], 1e-6);
    EXPECT_NEAR(particles[(k * 5 + 4) * 4 + 2], expected[k][1], 1e-6);
  }
  SurfaceScene mirrored(GetParam(), flat_model(5, 4, -1));
  expect_all(mirrored.tangents(), {-1, 0, 0, -1});
}

// Compares with the formulas in double precision on curved cloth, by vertex and by particle.
void expect_reference(SurfaceScene& scene) {
  const auto map = scene.array<uint32_t>(CLOTHC_FABRIC_VERTEX_MAP),
             triangles = scene.array<uint32_t>(CLOTHC_FABRIC_TRIANGLES),
             vertices = scene.array<uint32_t>(CLOTHC_FABRIC_TRIANGLE_VERTICES);
  const auto uv = scene.array<float>(CLOTHC_FABRIC_TEXTURE_COORDINATES);
  const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  ASSERT_EQ(vertices.size(), triangles.size());
  ASSERT_EQ(uv.size(), map.size() * 2);
  const Vector zero = {0, 0, 0};
  std::vector<Vector> normals(positions.size() / 4, zero), particle_tangents = normals,
                                                           vertex_tangents(map.size(), zero);
  std::vector<double> signs(map.size(), 0);
  for (size_t k = 0; k < triangles.size(); k += 3) {
    Vector p[3];
    double t[3][2];
    for (size_t c = 0; c < 3; ++c) {
      ASSERT_EQ(map[vertices[k + c]], triangles[k + c]);
      p[c] = vector_at(positions, triangles[k + c]);
      for (size_t axis = 0; axis < 2; ++axis) t[c][axis] = uv[vertices[k + c] * 2 + axis];
    }
    const Vector e1 = difference(p[1], p[0]), e2 = difference(p[2], p[0]);
    const double du1 = t[1][0] - t[0][0], dv1 = t[1][1] - t[0][1], du2 = t[2][0] - t[0][0], dv2 = t[2][1] - t[0][1];
    const double det = du1 * dv2 - du2 * dv1;
    const Vector tangent = plus(plus(zero, e1, dv2 / det), e2, -dv1 / det);
    for (size_t c = 0; c < 3; ++c) {
      normals[triangles[k + c]] = plus(normals[triangles[k + c]], cross(e1, e2), 1);
      particle_tangents[triangles[k + c]] = plus(particle_tangents[triangles[k + c]], tangent, 1);
      vertex_tangents[vertices[k + c]] = plus(vertex_tangents[vertices[k + c]], tangent, 1);
      signs[vertices[k + c]] += det;
    }
  }
  const auto expect_near = [](const Vector& got, const Vector& wanted, size_t item) {
    for (size_t axis = 0; axis < 3; ++axis) ASSERT_NEAR(got[axis], wanted[axis], 2e-5) << "item " << item;
  };
  const auto perpendicular = [](const Vector& v, const Vector& normal) {
    return unit(plus(v, normal, -dot(v, normal)));
  };
  const std::vector<float> got_normals = scene.normals(), got_tangents = scene.tangents();
  for (size_t k = 0; k < normals.size(); ++k) {
    normals[k] = unit(normals[k]);
    expect_near(vector_at(got_normals, k), normals[k], k);
    expect_near(vector_at(got_tangents, k), perpendicular(particle_tangents[k], normals[k]), k);
  }
  const std::vector<float> bound = scene.bound(CLOTHC_CHANNEL_TANGENT);
  for (size_t v = 0; v < map.size(); ++v) {
    // Every face has its own copy of this vertex.
    if (signs[v] == 0) {
      expect_all({&bound[v * 4], &bound[v * 4] + 4}, {0, 0, 0, 0});
      continue;
    }
    expect_near(vector_at(bound, v), perpendicular(vertex_tangents[v], normals[map[v]]), v);
    ASSERT_EQ(bound[v * 4 + 3], signs[v] < 0 ? -1.0f : 1.0f);
  }
}

TEST_P(Surface, of_draped_cloth_is_what_the_formulae_say) {
  for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    SceneOptions options = options_for(GetParam());
    options.solver.schedule = schedule;
    const Model seamed = seamed_model(), shuffled = shuffled_model(20, 20);
    for (const Model* model : {&seamed, &shuffled}) {
      SurfaceScene scene(options, model->desc());
      scene.drape();
      expect_reference(scene);
    }
  }
}

TEST_P(Surface, is_the_same_got_and_bound) {
  SurfaceScene seamed(GetParam(), seamed_model()), whole(GetParam(), flat_model(9, 8));
  for (SurfaceScene* scene : {&seamed, &whole}) {
    scene->drape();
    EXPECT_EQ(scene->bound(CLOTHC_CHANNEL_NORMAL), scene->by_vertex(scene->normals()));
  }
  EXPECT_EQ(whole.bound(CLOTHC_CHANNEL_TANGENT), whole.by_vertex(whole.tangents()));
}

TEST_P(Surface, does_not_show_where_particles_are_stored) {
  const Model model = shuffled_model(24, 20);
  clothc_mesh_desc mesh = model.desc();
  SurfaceScene own(options_for(GetParam()), mesh);
  mesh.flags = CLOTHC_COOK_KEEP_ORDER;
  SurfaceScene other(options_for(GetParam()), mesh);
  ASSERT_EQ(fabric_info(own.fabric).reordered, 1u);
  own.drape();
  other.drape();
  EXPECT_EQ(own.normals(), other.normals());
  EXPECT_EQ(own.tangents(), other.tangents());
  EXPECT_EQ(own.bound(CLOTHC_CHANNEL_NORMAL), other.bound(CLOTHC_CHANNEL_NORMAL));
  EXPECT_EQ(own.bound(CLOTHC_CHANNEL_TANGENT), other.bound(CLOTHC_CHANNEL_TANGENT));
}

TEST_P(Surface, changes_no_state) {
  SurfaceScene read(GetParam(), seamed_model()), plain(GetParam(), seamed_model());
  for (int frame = 0; frame < 2; ++frame) {
    read.step();
    plain.step();
    read.normals();
    read.tangents();
  }
  EXPECT_EQ(read.hash(), plain.hash());
}

TEST_P(Surface, is_zero_where_there_is_none) {
  Model model = flat_model(5, 4);
  // This vertex is in no face.
  model.add(9, 9, 9, 0, 0);
  SurfaceScene scene(GetParam(), model);
  const std::vector<float> normals = scene.normals(), tangents = scene.tangents();
  expect_all({normals.begin() + 80, normals.end()}, {0, 0, 0, 0});
  expect_all({tangents.begin() + 80, tangents.end()}, {0, 0, 0, 0});
  expect_all({normals.begin(), normals.begin() + 80}, {0, -1, 0, 0});

  std::vector<float> collapsed(84, 1.0f);
  scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, collapsed);
  expect_all(scene.normals(), {0, 0, 0, 0});
  expect_all(scene.tangents(), {0, 0, 0, 0});
  // A line has no normal.
  for (size_t k = 0; k < collapsed.size(); k += 4) collapsed[k] = static_cast<float>(k);
  scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, collapsed);
  expect_all(scene.normals(), {0, 0, 0, 0});
  expect_all(scene.tangents(), {0, 0, 0, 0});

  clothc_mesh_desc mesh = model.desc();
  mesh.texture_coordinates = nullptr;
  SurfaceScene untextured(options_for(GetParam()), mesh);
  expect_all(untextured.tangents(), {0, 0, 0, 0});
  EXPECT_EQ(untextured.normals(), normals);
  EXPECT_TRUE(untextured.array<uint32_t>(CLOTHC_FABRIC_TRIANGLE_VERTICES).empty());
  EXPECT_TRUE(untextured.array<float>(CLOTHC_FABRIC_TEXTURE_COORDINATES).empty());

  // The mesh has no face at all.
  mesh.quad_count = 0;
  mesh.texture_coordinates = model.texture_coordinates.data();
  SurfaceScene points(options_for(GetParam()), mesh);
  expect_all(points.normals(), {0, 0, 0, 0});
  expect_all(points.tangents(), {0, 0, 0, 0});
  expect_all(points.bound(CLOTHC_CHANNEL_NORMAL), {0, 0, 0, 0});
  expect_all(points.bound(CLOTHC_CHANNEL_TANGENT), {0, 0, 0, 0});

  Model flat_texture = flat_model(5, 4, 0);
  SurfaceScene without_area(GetParam(), flat_texture);
  expect_all(without_area.tangents(), {0, 0, 0, 0});
}

// Returns positions of all magnitudes that floats have, within the permitted range.
std::vector<float> wild_positions(uint32_t particle_count, uint32_t seed) {
  std::vector<float> values;
  uint32_t state = seed * 77777u + 1;
  const auto random = [&] { return state = state * 1664525u + 1013904223u, state >> 8; };
  for (uint32_t k = 0; k < particle_count * 4; ++k) {
    if (k % 4 == 3) {
      values.push_back(1);
      continue;
    }
    const int spread = seed % 2 == 0 ? 60 : 12, centre = static_cast<int>(seed) * 10 - 60;
    const int exponent = std::clamp(centre + static_cast<int>(random() % static_cast<uint32_t>(spread)), -90, 29);
    const float size = std::ldexp(1 + static_cast<float>(random() % 4096) / 4096, exponent - 1);
    values.push_back(random() % 7 == 0 ? 0 : random() % 2 == 0 ? size : -size);
  }
  return values;
}

// For all positions, directions have length 1 or 0 and the same bits as with scalar code on the processor.
TEST_P(Surface, is_finite_for_all_positions_and_has_the_same_bits_everywhere) {
  const Model model = shuffled_model(12, 9);
  SurfaceScene scene(GetParam(), model);
  SceneOptions scalar_options = options_for(CLOTHC_BACKEND_CPU);
  scalar_options.device.isa = CLOTHC_ISA_SCALAR;
  SurfaceScene scalar(scalar_options, model.desc());
  std::vector<std::unique_ptr<SurfaceScene>> others;
  if (GetParam() == CLOTHC_BACKEND_CPU) {
    clothc_device_info info = initialised<clothc_device_info>();
    ASSERT_OK(clothc_device_get_info(scene.device, &info));
    for (clothc_isa isa = CLOTHC_ISA_SCALAR + 1; isa <= CLOTHC_ISA_NEON; ++isa) {
      if ((info.isa_mask >> isa & 1) == 0) continue;
      SceneOptions options = options_for(CLOTHC_BACKEND_CPU);
      options.device.isa = isa;
      others.push_back(std::make_unique<SurfaceScene>(options, model.desc()));
    }
  }
  uint32_t directions = 0;
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const std::vector<float> positions = wild_positions(scene.info(scene.cloth).particle_count, seed);
    const auto surface_of = [&](SurfaceScene& s) {
      s.set(CLOTHC_CHANNEL_POSITION, s.cloth, positions);
      std::vector<float> all = s.normals();
      for (const std::vector<float>& more : {s.tangents(), s.bound(CLOTHC_CHANNEL_TANGENT)})
        all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    const std::vector<float> got = surface_of(scene);
    for (size_t k = 0; k < got.size() / 4; ++k) {
      const Vector v = vector_at(got, k);
      if (dot(v, v) == 0) continue;
      ASSERT_NEAR(dot(v, v), 1, 1e-6) << "item " << k << ", seed " << seed;
      ++directions;
    }
    const std::vector<float> expected = surface_of(scalar);
    ASSERT_EQ(std::memcmp(got.data(), expected.data(), got.size() * 4), 0) << "seed " << seed;
    for (const auto& other : others) {
      const std::vector<float> same = surface_of(*other);
      ASSERT_EQ(std::memcmp(same.data(), expected.data(), same.size() * 4), 0) << "seed " << seed;
    }
  }
  EXPECT_GT(directions, 1000u);
}

TEST_P(Surface, of_a_raw_fabric_is_that_of_the_cooked_one) {
  SurfaceScene cooked(GetParam(), flat_model(9, 8));
  const auto triangles = cooked.array<uint32_t>(CLOTHC_FABRIC_TRIANGLES);
  const auto positions = cooked.array<float>(CLOTHC_FABRIC_POSITIONS);
  std::vector<float> uv = cooked.array<float>(CLOTHC_FABRIC_TEXTURE_COORDINATES);
  clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
  desc.particle_count = 72;
  desc.triangle_count = static_cast<uint32_t>(triangles.size() / 3);
  desc.triangles = triangles.data();
  desc.positions = positions.data();
  desc.texture_coordinates = uv.data();
  Scene raw(options_for(GetParam()));
  ASSERT_OK(clothc_fabric_destroy(raw.fabric));
  ASSERT_OK(clothc_fabric_create(raw.device, &desc, &raw.fabric));
  raw.cloth = raw.add();
  const std::vector<float> wild = wild_positions(72, 5);
  cooked.set(CLOTHC_CHANNEL_POSITION, cooked.cloth, wild);
  raw.set(CLOTHC_CHANNEL_POSITION, raw.cloth, wild);
  EXPECT_EQ(raw.get(CLOTHC_CHANNEL_NORMAL, raw.cloth), cooked.normals());
  EXPECT_EQ(raw.get(CLOTHC_CHANNEL_TANGENT, raw.cloth), cooked.tangents());

  clothc_fabric refused = nullptr;
  for (const float bad : {not_a_number, infinity, 1.1e9f}) {
    uv[31] = bad;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_create(raw.device, &desc, &refused),
                 "fabric_desc.texture_coordinates[31] is", "want -1e+09 to 1e+09");
  }
}

}  // namespace
}  // namespace channels_surface_test
