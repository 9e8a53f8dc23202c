// sheet_shapes.cpp - see sheet_shapes.h. There are few shapes, but more spheres and capsules than a block holds, enough
// triangles for two levels of joined boxes, and a mesh and an SDF of which both sets have instances.
#include "parity/dialect/sheet_shapes.h"

#include <algorithm>
#include <cmath>

#include "core/collision/shape_layout.h"

namespace clothc::probes {
namespace {

// Number of spheres.
constexpr uint32_t chain_length = 16;
constexpr float pi = 3.14159265f;

// All shapes of a set at one time.
struct Shapes {
  std::vector<float> spheres, planes, ellipsoids, boxes, vertices, instances;
  std::vector<uint32_t> capsules, convex_ends, convex_planes, triangles;
  float reach = 0;
};

void append(std::vector<float>& list, std::initializer_list<float> values) { list.insert(list.end(), values); }

// Appends a centre, a rotation about an axis in the plane of x and z by twice the angle with the given sine, and sizes.
void append_posed(std::vector<float>& list, float x, float y, float z, float sine, float a, float b, float c) {
  append(list, {x, y, z, 0.6f * sine, 0, 0.8f * sine, std::sqrt(1.0f - sine * sine), a, b, c});
}

// Appends the same with a scale in place of sizes.
void append_instance(std::vector<float>& list, float x, float y, float z, float sine, float scale) {
  append(list, {x, y, z, 0.6f * sine, 0, 0.8f * sine, std::sqrt(1.0f - sine * sine), scale});
}

// Appends two triangles per cell between rows of vertices. Their front is where the vector right x down points.
void append_grid(Shapes& shapes, uint32_t columns, uint32_t rows) {
  for (uint32_t k = 0; k < columns * rows; ++k) {
    const uint32_t a = k / columns * (columns + 1) + k % columns;
    const uint32_t below = a + columns + 1;
    const uint32_t corners[] = {a, a + 1, below, a + 1, below + 1, below};
    shapes.triangles.insert(shapes.triangles.end(), corners, corners + 6);
  }
}

// Appends a ball whose triangles at the poles have no area.
void append_ball(Shapes& shapes, float x, float y, float z, float radius) {
  constexpr uint32_t columns = 9, rows = 7;
  for (uint32_t row = 0; row <= rows; ++row) {
    for (uint32_t column = 0; column <= columns; ++column) {
      const float latitude = pi * static_cast<float>(row) / static_cast<float>(rows);
      const float longitude = 2 * pi * static_cast<float>(column % columns) / static_cast<float>(columns);
      const float across = row % rows == 0 ? 0.0f : radius * std::sin(latitude);
      append(shapes.vertices,
             {x + across * std::cos(longitude), y + radius * std::cos(latitude), z + across * std::sin(longitude)});
    }
  }
  append_grid(shapes, columns, rows);
}

// Appends a bumpy wall behind the second sheet.
void append_wall(Shapes& shapes, float x, float y, float z) {
  constexpr uint32_t columns = 6, rows = 5;
  for (uint32_t row = 0; row <= rows; ++row) {
    for (uint32_t column = 0; column <= columns; ++column) {
      const float bump = 0.02f * static_cast<float>((column + row * row) % 3);
      append(shapes.vertices, {x + 0.18f * static_cast<float>(column), y - 0.16f * static_cast<float>(row), z + bump});
    }
  }
  append_grid(shapes, columns, rows);
}

// Appends the faces of an upright box with outward normals.
void append_faces(Shapes& shapes, const float* centre, float half_side) {
  for (uint32_t k = 0; k < 6; ++k) {
    float normal[3] = {0, 0, 0};
    const uint32_t axis = k / 2;
    normal[axis] = k % 2 ? 1.0f : -1.0f;
    append(shapes.planes, {normal[0], normal[1], normal[2], -normal[axis] * centre[axis] - half_side});
  }
}

// Appends balls that swing through the sheets, a capsule, a capsule without a cone, and a chain of small capsules.
void append_curved(Shapes& shapes, float time) {
  const float swing = 0.2f * static_cast<float>(static_cast<int>(time) % 20);
  append(shapes.spheres, {0.3f, -0.5f + 0.01f * time, -0.3f + 0.015f * time, 0.2f});
  append(shapes.spheres, {0.05f * swing, -0.3f, 0.12f, 0.1f + 0.005f * swing});
  append(shapes.spheres, {0.55f, -0.25f, -0.15f + 0.008f * time, 0.08f});
  append(shapes.spheres, {0.75f, -0.35f, -0.1f + 0.008f * time, 0.05f});
  append(shapes.spheres, {0.56f, -0.25f, -0.15f + 0.008f * time, 0.02f});
  for (uint32_t k = 0; k < chain_length; ++k) {
    const auto at = static_cast<float>(k);
    append(shapes.spheres, {0.05f * at, -0.55f + 0.01f * swing * static_cast<float>(k % 3), -0.05f + 0.004f * time,
                            0.02f + 0.002f * static_cast<float>(k % 4)});
  }
  shapes.capsules = {2, 3, 4, 2, 1, 0};
  for (uint32_t k = 5; k + 1 < 5 + chain_length; ++k) shapes.capsules.insert(shapes.capsules.end(), {k, k + 1});
  append_posed(shapes.ellipsoids, 0.15f, -0.45f, 0.05f, 0.4f + 0.004f * time, 0.08f, 0.04f, 0.06f);
  // This flat ellipsoid makes no contacts.
  append_posed(shapes.ellipsoids, 0.65f, -0.15f, 0.02f * swing, 0.0f, 0.07f, 0.0f, 0.07f);
}

Shapes shapes_of_cloths(float time) {
  Shapes shapes;
  append_curved(shapes, time);
  const float centre[3] = {0.5f, -0.55f, -0.1f + 0.005f * time};
  append_faces(shapes, centre, 0.12f);
  append(shapes.planes, {0.0f, 0.96f, 0.28f, 0.7f - 0.001f * time});
  shapes.convex_planes = {0, 1, 2, 3, 4, 5, 6, 5, 6};
  shapes.convex_ends = {6, 7, 9};
  append_posed(shapes.boxes, 0.65f, -0.45f, 0.004f * time, 0.008f * time, 0.05f, 0.1f, 0.07f);
  append_ball(shapes, 0.4f, -0.2f, 0.3f - 0.006f * time, 0.13f);
  append_instance(shapes.instances, 0.2f, -0.6f, -0.12f + 0.006f * time, 0.01f * time, 0.1f + 0.0005f * time);
  append_instance(shapes.instances, 0.55f, -0.1f, -0.1f + 0.005f * time, 0.3f + 0.008f * time, 0.1f);
  shapes.reach = 0.08f;
  return shapes;
}

// Returns shapes that move along with the cloths' frames but do not turn with them.
Shapes shapes_of_world(float time) {
  const float x = 0.02f * time, y = 0.001f * time * time, z = -0.01f * time;
  Shapes shapes;
  append(shapes.spheres, {x + 0.8f, y - 0.2f, z + 0.02f * time - 0.1f, 0.12f});
  append(shapes.spheres, {x + 0.2f, y - 0.1f, z + 0.1f, 0.05f});
  append(shapes.spheres, {x + 0.35f, y - 0.15f, z + 0.12f, 0.03f});
  shapes.capsules = {1, 2};
  append(shapes.planes, {0.0f, 0.6f, -0.8f, 0.75f - 0.6f * y + 0.8f * z});
  shapes.convex_planes = {0};
  shapes.convex_ends = {1};
  append_posed(shapes.ellipsoids, x + 0.6f, y - 0.3f, z + 0.15f, 0.01f * time, 0.1f, 0.05f, 0.07f);
  append_posed(shapes.boxes, x + 0.1f, y - 0.35f, z + 0.12f, 0.3f, 0.06f, 0.05f, 0.04f);
  append_wall(shapes, x - 0.1f, y + 0.1f, z + 0.2f);
  append_instance(shapes.instances, x + 0.7f, y - 0.4f, z + 0.18f, 0.2f, 0.1f);
  append_instance(shapes.instances, x + 0.3f, y - 0.25f, z + 0.16f, 0.02f * time, 0.08f + 0.002f * time);
  shapes.reach = 0.3f;
  return shapes;
}

// Makes a mesh of a ball of radius 1.
std::shared_ptr<ColliderAsset> ball_mesh() {
  Shapes shapes;
  append_ball(shapes, 0, 0, 0, 1);
  clothc_collider_mesh_desc desc{};
  desc.vertex_count = static_cast<uint32_t>(shapes.vertices.size() / 3);
  desc.triangle_count = static_cast<uint32_t>(shapes.triangles.size() / 3);
  desc.vertices = shapes.vertices.data();
  desc.triangles = shapes.triangles.data();
  auto asset = std::make_shared<ColliderAsset>();
  fill_asset(*asset, desc);
  return asset;
}

std::shared_ptr<ColliderAsset> ball_sdf() {
  std::vector<float> values;
  clothc_sdf_desc desc{};
  desc.counts[0] = 9, desc.counts[1] = 10, desc.counts[2] = 7;
  desc.spacing = 0.3f;
  std::fill(desc.origin, desc.origin + 3, -1.25f);
  for (uint32_t z = 0; z < desc.counts[2]; ++z) {
    for (uint32_t y = 0; y < desc.counts[1]; ++y) {
      for (uint32_t x = 0; x < desc.counts[0]; ++x) {
        const auto at = [&](uint32_t k) { return desc.origin[0] + desc.spacing * static_cast<float>(k); };
        values.push_back(std::sqrt(at(x) * at(x) + at(y) * at(y) + at(z) * at(z)) - 1);
      }
    }
  }
  desc.values = values.data();
  auto asset = std::make_shared<ColliderAsset>();
  fill_asset(*asset, desc);
  return asset;
}

// Returns the set with its shapes in motion. The set's tables stay where they are.
ColliderSet moved(const ColliderSet& set, const Shapes& starts, const Shapes& targets) {
  clothc_collider_shapes shapes{};
  shapes.sphere_count = static_cast<uint32_t>(targets.spheres.size() / 4);
  shapes.spheres = targets.spheres.data();
  shapes.sphere_starts = starts.spheres.data();
  shapes.plane_count = static_cast<uint32_t>(targets.planes.size() / 4);
  shapes.planes = targets.planes.data();
  shapes.plane_starts = starts.planes.data();
  shapes.convex_count = static_cast<uint32_t>(targets.convex_ends.size());
  shapes.convex_ends = targets.convex_ends.data();
  shapes.convex_planes = targets.convex_planes.data();
  shapes.capsule_count = static_cast<uint32_t>(targets.capsules.size() / 2);
  shapes.capsules = targets.capsules.data();
  shapes.ellipsoid_count = static_cast<uint32_t>(targets.ellipsoids.size() / 10);
  shapes.ellipsoids = targets.ellipsoids.data();
  shapes.ellipsoid_starts = starts.ellipsoids.data();
  shapes.box_count = static_cast<uint32_t>(targets.boxes.size() / 10);
  shapes.boxes = targets.boxes.data();
  shapes.box_starts = starts.boxes.data();
  shapes.vertex_count = static_cast<uint32_t>(targets.vertices.size() / 3);
  shapes.vertices = targets.vertices.data();
  shapes.vertex_starts = starts.vertices.data();
  shapes.triangle_count = static_cast<uint32_t>(targets.triangles.size() / 3);
  shapes.triangles = targets.triangles.data();
  shapes.triangle_reach = targets.reach;
  shapes.instance_count = static_cast<uint32_t>(targets.instances.size() / 8);
  shapes.instances = targets.instances.data();
  shapes.instance_starts = starts.instances.data();
  shapes.space = set.space;
  ColliderSet next = set;
  next = with_shapes(next, shapes, set.assets);
  return next;
}

uint32_t take(std::vector<uint32_t>& tables, uint32_t words) {
  const auto offset = static_cast<uint32_t>(tables.size());
  tables.resize(tables.size() + words);
  return offset;
}

void put(Arenas& arenas, uint32_t offset, const std::vector<uint32_t>& words) {
  std::copy(words.begin(), words.end(), arenas.tables.begin() + offset);
}

void put_vertices(Arenas& arenas, uint32_t offset, const std::vector<float>& vertices) {
  for (size_t k = 0; k < vertices.size(); ++k) arenas.tables[offset + k / 3 * 4 + k % 3] = bits_of(vertices[k]);
}

// Gives the scene's assets their positions in the arenas and writes the data that the host uploads once.
void add_collider_assets(Scene& scene) {
  Arenas& arenas = scene.arenas;
  std::vector<uint32_t> words;
  const std::shared_ptr<ColliderAsset> mesh = ball_mesh(), sdf = ball_sdf();
  TriangleBvh& bvh = mesh->bvh;
  bvh.table = take(arenas.tables, bvh.word_count());
  put_vertices(arenas, bvh.rows(bvh.targets_at), mesh->vertices);
  put(arenas, bvh.triangles(), mesh->triangles);
  bvh.pack_header(mesh->vertices.data(), nullptr, 1, false, words);
  const auto level = bvh.level_words(0);
  std::copy(level.begin(), level.end(), words.begin() + bvh_level);
  put(arenas, bvh.table, words);
  sdf->sdf_table = take(arenas.tables, sdf->word_count());
  sdf->pack_sdf(words);
  put(arenas, sdf->sdf_table, words);
  scene.assets = {mesh, sdf};
}

}  // namespace

void add_collider_sets(Scene& scene) {
  add_collider_assets(scene);
  for (const bool in_world : {false, true}) {
    ColliderSet set;
    for (const std::shared_ptr<ColliderAsset>& asset : scene.assets) set.assets.push_back(asset.get());
    set.space = in_world ? CLOTHC_COLLIDER_SPACE_WORLD : CLOTHC_COLLIDER_SPACE_LOCAL;
    const Shapes shapes = in_world ? shapes_of_world(0) : shapes_of_cloths(0);
    set = moved(set, shapes, shapes);
    set.table = take(scene.arenas.tables, set.word_count());
    set.bvh.table = take(scene.arenas.tables, set.bvh.word_count());
    set.bvh.targets_at = 1;
    put(scene.arenas, set.bvh.triangles(), set.triangles);
    scene.sets.push_back(set);
  }
}

// Returns the number of shapes in the first few sets.
ShapeCounts counts_of(const Scene& scene, uint32_t set_count) {
  ShapeCounts counts;
  for (uint32_t k = 0; k < set_count; ++k) counts += scene.sets[k].counts();
  return counts;
}

void add_shapes(Scene& scene, uint32_t set_count, GroupSettings& s) {
  std::vector<uint32_t>& tables = scene.arenas.tables;
  s.collider_count = set_count;
  s.collider_table = take(tables, set_count);
  for (uint32_t k = 0; k < set_count; ++k) tables[s.collider_table + k] = scene.sets[k].table;
  const ShapeCounts counts = counts_of(scene, set_count);
  const ShapeLayout layout(counts, s.padded_count);
  const uint32_t first = take(tables, layout.end);
  put_shapes(s, counts, first, s.padded_count);
}

void move_shapes(const Scene& scene, Arenas& arenas, int frame) {
  std::vector<uint32_t> words;
  for (const ColliderSet& known : scene.sets) {
    const bool in_world = known.space == CLOTHC_COLLIDER_SPACE_WORLD;
    const auto time = static_cast<float>(in_world ? frame % 30 : frame);
    // In every fifth update all shapes stand still.
    const float end = frame % 5 == 4 ? time : time + 1;
    ColliderSet set = in_world ? moved(known, shapes_of_world(time), shapes_of_world(end))
                               : moved(known, shapes_of_cloths(time), shapes_of_cloths(end));
    set.pack(words);
    put(arenas, set.table, words);
    const ColliderSet::Moving& vertices = set.shapes[ColliderSet::vertices];
    put_vertices(arenas, set.bvh.rows(0), vertices.starts);
    put_vertices(arenas, set.bvh.rows(1), vertices.targets);
    const uint32_t version = 2 + 2 * static_cast<uint32_t>(frame) + (in_world ? 1 : 0);
    set.bvh.pack_header(vertices.targets.data(), vertices.moves() ? vertices.starts.data() : nullptr, version, false,
                        words);
    const auto level = set.bvh.level_words(frame % 20 == 0 ? 0 : 2);
    std::copy(level.begin(), level.end(), words.begin() + bvh_level);
    put(arenas, set.bvh.table, words);
  }
}

std::vector<Job> triangle_bvh_jobs(const Scene& scene, int frame) {
  std::vector<Job> jobs;
  const auto append_jobs = [&](const std::vector<Job>& more) { jobs.insert(jobs.end(), more.begin(), more.end()); };
  const auto append_triangle_bvh = [&](const TriangleBvh& bvh) {
    // The leaves are in the order in which the triangles are given; no result depends on that order.
    if (frame % 10 == 0) {
      jobs.push_back(bvh.keying());
      // The job is extended so that all dialects write the padding.
      jobs.back().end = bvh.padded_triangles();
      jobs.push_back(bvh.filling());
    }
    append_jobs(bvh.bounding(frame % 10 == 0));
  };
  for (const std::shared_ptr<ColliderAsset>& asset : scene.assets) {
    if (!asset->is_sdf && frame % 10 == 0) append_triangle_bvh(asset->bvh);
  }
  for (const ColliderSet& set : scene.sets) append_triangle_bvh(set.bvh);
  return jobs;
}

void add_bounding(const GroupSettings& s, uint32_t cloth, std::vector<Job>& jobs) {
  const uint32_t blocks = ShapeCounts::blocks_of(s.sphere_count) + ShapeCounts::blocks_of(s.capsule_count);
  jobs.push_back({number_of(Kernel::refit_shape_blocks), cloth, 0, blocks, 0});
}

void add_placing(const Scene& scene, const GroupSettings& s, uint32_t cloth, std::vector<Job>& jobs) {
  const uint32_t posed = s.ellipsoid_count + s.box_count + s.mesh_count + s.sdf_count;
  jobs.push_back({number_of(Kernel::transform_rounded_shapes), cloth, 0, s.sphere_count + s.capsule_count, 0});
  jobs.push_back({number_of(Kernel::transform_flat_shapes), cloth, 0, s.plane_count + s.convex_count, 0});
  jobs.push_back({number_of(Kernel::transform_posed_shapes), cloth, 0, posed, 0});
  const uint32_t words = ShapeLayout::transformed_vertex_words(counts_of(scene, s.collider_count), s.padded_count);
  if (words > 0) jobs.push_back({number_of(Kernel::transform_vertices), cloth, 0, words, 0});
}

// Upper bound on the contacts of one particle.
constexpr uint32_t most_contacts = 24;

void add_report(Arenas& arenas, uint32_t cloth, GroupSettings& s) {
  s.identity = 100 + cloth;
  s.report = take(arenas.tables, report_words * s.padded_count);
  s.contact_counts = take(arenas.tables, s.padded_count);
  s.contact_capacity = most_contacts * s.particle_count;
  s.contact_records = take(arenas.tables, s.contact_capacity * contact_words);
}

void set_report(Arenas& arenas, const GroupSettings& s) {
  for (uint32_t k = 0; k < s.padded_count; ++k) arenas.tables[s.contact_counts + k] = most_contacts * k;
}

void add_reporting(const GroupSettings& s, uint32_t cloth, std::vector<Job>& jobs) {
  const auto add = [&](Kernel kernel, uint32_t argument = 0) {
    jobs.push_back({number_of(kernel), cloth, 0, s.padded_count, argument});
  };
  const bool is_continuous = (s.collision_flags & collision_continuous) != 0;
  const auto collide = [&] {
    add(Kernel::collide_convexes, collision_reports);
    add(Kernel::collide_triangles, collision_reports);
    add(Kernel::collide_sdfs, collision_reports);
    add(is_continuous ? Kernel::collide_curved_continuously : Kernel::collide_curved, collision_reports);
  };
  add(Kernel::rewind_for_report, report_saves);
  add(Kernel::scatter_contacts);
  collide();
  add(Kernel::finish_contacts);
  add(Kernel::rewind_for_report, report_counts);
  collide();
  add(Kernel::order_contacts);
  add(Kernel::rewind_for_report, report_ends);
}

}  // namespace clothc::probes
