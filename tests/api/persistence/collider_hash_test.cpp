// collider_hash_test.cpp - the state hash depends on every bit of every shape, on its start and its target, and on how
// a cloth collides.
#include <cmath>

#include "support/every_shape.h"
#include "support/hash_changes.h"

using namespace clothc_test;

namespace collider_hash_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ColliderHash);

SceneOptions small(clothc_backend backend) {
  SceneOptions options(backend);
  options.columns = 3;
  options.rows = 2;
  return options;
}

void flip_last_bit(float& value) {
  uint32_t word;
  std::memcpy(&word, &value, sizeof(word));
  word ^= 1;
  std::memcpy(&value, &word, sizeof(word));
}

// Makes the cloth list a set of every shape with one difference.
Change with(const std::string& name, const std::function<void(Shapes&)>& set) {
  return {name, [=](Scene& scene) {
            Shapes shapes = every_shape();
            shapes.start_here();
            set(shapes);
            list(scene, {make_set(scene, shapes)});
          }};
}

TEST_P(ColliderHash, tells_every_bit_of_starts_and_targets) {
  Shapes shapes = every_shape();
  shapes.start_here();
  std::vector<Change> changes = {with("a set", [](Shapes&) {})};
  const std::pair<const char*, std::vector<float> Shapes::*> arrays[] = {
      {"spheres", &Shapes::spheres},       {"sphere_starts", &Shapes::sphere_starts},
      {"planes", &Shapes::planes},         {"plane_starts", &Shapes::plane_starts},
      {"ellipsoids", &Shapes::ellipsoids}, {"ellipsoid_starts", &Shapes::ellipsoid_starts},
      {"boxes", &Shapes::boxes},           {"box_starts", &Shapes::box_starts},
      {"vertices", &Shapes::vertices},     {"vertex_starts", &Shapes::vertex_starts},
      {"instances", &Shapes::instances},   {"instance_starts", &Shapes::instance_starts}};
  for (const auto& array : arrays) {
    const size_t last = (shapes.*array.second).size() - 1;
    // Covers the first elements and the last number.
    for (size_t k = 0; k <= last; k = k < 10 || k == last ? k + 1 : last) {
      changes.push_back(
          with(array.first + (" " + std::to_string(k)), [=](Shapes& s) { flip_last_bit((s.*array.second)[k]); }));
    }
  }
  expect_all_different(small(GetParam()), changes);
}

TEST_P(ColliderHash, tells_how_shapes_are_joined_where_they_are_and_how_far_they_reach) {
  std::vector<Change> changes = {
      with("a set", [](Shapes&) {}),
      with("another capsule",
           [](Shapes& s) {
             s.capsules = {0, 2};
           }),
      with("a capsule turned",
           [](Shapes& s) {
             s.capsules = {1, 0};
           }),
      with("two capsules",
           [](Shapes& s) {
             s.capsules = {0, 1, 1, 2};
           }),
      with("no capsule", [](Shapes& s) { s.capsules.clear(); }),
      with("convexes of other planes",
           [](Shapes& s) {
             s.convex_ends = {2, 6};
           }),
      with("planes in another order", [](Shapes& s) { std::swap(s.convex_planes[3], s.convex_planes[4]); }),
      with("every plane for itself", [](Shapes& s) { s.convex_ends.clear(), s.convex_planes.clear(); }),
      with("a triangle turned", [](Shapes& s) { std::swap(s.triangles[52], s.triangles[53]); }),
      with("a triangle's other corner", [](Shapes& s) { s.triangles[53] = 3; }),
      with("one triangle less", [](Shapes& s) { s.triangles.resize(51); }),
      with("no triangles", [](Shapes& s) { s.triangles.clear(); }),
      with("one vertex more", [](Shapes& s) { s.vertices.resize(51), s.vertex_starts.resize(51); }),
      with("the world", [](Shapes& s) { s.space = CLOTHC_COLLIDER_SPACE_WORLD; }),
      with("the reach's bit", [](Shapes& s) { flip_last_bit(s.triangle_reach); }),
      with("any reach", [](Shapes& s) { s.triangle_reach = infinity; }),
      with("no sphere", [](Shapes& s) { s.spheres.clear(), s.capsules.clear(); }),
      with("no ellipsoid", [](Shapes& s) { s.ellipsoids.clear(); }),
      with("no box", [](Shapes& s) { s.boxes.clear(); }),
      with("no instance", [](Shapes& s) { s.instances.clear(), s.instance_assets.clear(); }),
      with("one instance",
           [](Shapes& s) { s.instances.resize(8), s.instance_assets.resize(1), s.instance_starts.resize(8); }),
      with("two meshes", [](Shapes& s) { s.instance_assets[1] = first_mesh; }),
      with("two SDFs", [](Shapes& s) { s.instance_assets[0] = first_sdf; }),
      with("the mesh for the SDF", [](Shapes& s) { std::swap(s.instance_assets[0], s.instance_assets[1]); }),
      with("a box instead of the ellipsoid", [](Shapes& s) {
        s.ellipsoids.swap(s.boxes);
        s.start_here();
      })};
  changes.emplace_back("two sets", [](Scene& scene) {
    const Shapes shapes = every_shape();
    list(scene, {make_set(scene, shapes), make_set(scene, shapes)});
  });
  changes.emplace_back("a set and an empty one", [](Scene& scene) {
    list(scene, {make_set(scene, every_shape()), make_set(scene, Shapes{})});
  });
  changes.emplace_back("an empty set and one", [](Scene& scene) {
    list(scene, {make_set(scene, Shapes{}), make_set(scene, every_shape())});
  });
  expect_all_different(small(GetParam()), changes);
}

// Changes one property of the first of two assets; the set has an instance of it.
template <class Asset>
Change with_asset(const std::string& name, const std::function<void(Asset&)>& change) {
  return {name, [=](Scene& scene) {
            Asset asset;
            change(asset);
            Shapes shapes;
            shapes.instances = {0.45f, 0.7f, 0.55f, 0, 0, 0.6f, 0.8f, 0.125f};
            shapes.instance_assets = {make_asset(scene, asset)};
            make_asset(scene, MeshAsset());
            list(scene, {make_set(scene, shapes)});
          }};
}

TEST_P(ColliderHash, tells_every_bit_of_meshes_and_sdfs_that_are_shown) {
  using M = MeshAsset;
  using S = SdfAsset;
  std::vector<Change> changes = {with_asset<M>("a mesh", [](M&) {}), with_asset<S>("an SDF", [](S&) {})};
  for (const size_t k : {0u, 1u, 2u, 16u, 17u}) {
    changes.push_back(with_asset<M>("vertex word", [=](M& m) { flip_last_bit(m.vertices[k]); }));
    changes.push_back(with_asset<S>("value", [=](S& s) { flip_last_bit(s.values[k]); }));
  }
  changes.push_back(with_asset<S>("the last value", [](S& s) { flip_last_bit(s.values.back()); }));
  changes.push_back(with_asset<S>("sign", [](S& s) { s.values[3] = -s.values[3]; }));
  for (const size_t axis : {0u, 1u, 2u}) {
    changes.push_back(with_asset<S>("origin", [=](S& s) { flip_last_bit(s.origin[axis]); }));
  }
  changes.push_back(with_asset<S>("spacing", [](S& s) { flip_last_bit(s.spacing); }));
  changes.push_back(with_asset<S>("counts", [](S& s) { std::swap(s.counts[0], s.counts[1]); }));
  changes.push_back(with_asset<S>("fewer", [](S& s) { s.counts[2] = 3; }));
  changes.push_back(with_asset<M>("a corner", [](M& m) { m.triangles[23] = 4; }));
  changes.push_back(with_asset<M>("a turn", [](M& m) { std::swap(m.triangles[0], m.triangles[1]); }));
  changes.push_back(with_asset<M>("one triangle less", [](M& m) { m.triangles.resize(21); }));
  changes.push_back(with_asset<M>("one vertex more", [](M& m) { m.vertices.resize(21); }));
  expect_all_different(small(GetParam()), changes);
}

// Ids of assets are not state, and neither are assets that no set uses nor other contents of the device's memory.
TEST_P(ColliderHash, does_not_depend_on_the_names_of_assets_nor_on_those_that_no_set_shows) {
  const uint64_t hash = hash_after(small(GetParam()), with("", [](Shapes&) {}).second);
  const uint64_t others = hash_after(small(GetParam()), [](Scene& scene) {
    for (int k = 0; k < 3; ++k) EXPECT_OK(clothc_collider_asset_destroy(scene.solver, make_asset(scene, SdfAsset())));
    make_asset(scene, MeshAsset());
    Shapes shapes = every_shape();
    shapes.instance_assets[1] = make_asset(scene, SdfAsset());
    shapes.instance_assets[0] = make_asset(scene, MeshAsset());
    list(scene, {make_set(scene, shapes)});
  });
  EXPECT_EQ(hash, others);
}

TEST_P(ColliderHash, does_not_depend_on_capacity_threads_or_schedule) {
  const auto frames = [&](const std::function<void(SceneOptions&)>& change) {
    SceneOptions options(GetParam());
    change(options);
    Scene scene(options);
    const clothc_collider_set_id set = make_set(scene, every_shape());
    list(scene, {set});
    scene.change_parameters(scene.cloth, [](auto& p) {
      p.friction = 0.5f, p.collision_flags |= CLOTHC_COLLISION_CONTINUOUS, p.contact_margin = 0.01f;
    });
    std::vector<uint64_t> hashes;
    for (int frame = 0; frame < 12; ++frame) {
      Shapes shapes = every_shape();
      shapes.sink(-0.01f * static_cast<float>(frame));
      write(scene, set, shapes);
      scene.step();
      hashes.push_back(scene.hash());
    }
    return hashes;
  };
  const std::vector<uint64_t> expected = frames([](SceneOptions&) {});
  EXPECT_EQ(frames([](SceneOptions& o) { o.device.worker_count = 1; }), expected);
  EXPECT_EQ(frames([](SceneOptions& o) { o.device.worker_count = 5; }), expected);
  EXPECT_EQ(frames([](SceneOptions& o) { o.solver.schedule = CLOTHC_SCHEDULE_PASS; }), expected);
  EXPECT_EQ(frames([](SceneOptions& o) { o.solver.schedule = CLOTHC_SCHEDULE_CLOTH; }), expected);
  EXPECT_EQ(frames([](SceneOptions& o) { o.solver.particle_capacity = 65536, o.solver.cloth_capacity = 64; }),
            expected);
}

TEST_P(ColliderHash, does_not_depend_on_how_the_same_shapes_were_given) {
  const uint64_t hash = hash_after(small(GetParam()), with("", [](Shapes&) {}).second);
  const auto given = [&](const std::function<void(Shapes&)>& set) {
    return hash_after(small(GetParam()), with("", set).second);
  };
  EXPECT_EQ(given([](Shapes& s) { s.sphere_starts.clear(), s.vertex_starts.clear(), s.box_starts.clear(); }), hash);
  EXPECT_EQ(given([](Shapes& s) { s.instance_starts.clear(); }), hash);
  const auto soup = [&](bool with_triangles) {
    return given([=](Shapes& s) {
      s.triangles = {0, 1, 2, 3, 4, 5};
      if (!with_triangles) s.triangles.clear();
    });
  };
  const uint64_t without_array = hash_after(small(GetParam()), [&](Scene& scene) {
    Shapes shapes = every_shape();
    shapes.start_here();
    clothc_collider_shapes desc = shapes.desc();
    desc.triangles = nullptr, desc.triangle_count = 2;
    ensure_assets(scene);
    const clothc_collider_set_id set = make_set(scene, Shapes{});
    EXPECT_OK(clothc_collider_set_write(scene.solver, set, &desc));
    list(scene, {set});
  });
  EXPECT_EQ(without_array, soup(true));
  EXPECT_NE(without_array, soup(false));
}

TEST_P(ColliderHash, of_shapes_that_came_to_rest_is_that_of_shapes_at_rest) {
  Scene moved(small(GetParam())), still(small(GetParam()));
  Shapes shapes = every_shape();
  for (Scene* scene : {&moved, &still}) {
    std::vector<float> positions = scene->get(CLOTHC_CHANNEL_POSITION, scene->cloth);
    // The particles are pinned, so that no shape moves them.
    for (size_t k = 3; k < positions.size(); k += 4) positions[k] = 0;
    scene->set(CLOTHC_CHANNEL_POSITION, scene->cloth, positions, CLOTHC_SET_AT_REST);
  }
  const clothc_collider_set_id set = make_set(moved, shapes);
  list(moved, {set});
  shapes.sink(0.25f);
  list(still, {make_set(still, shapes)});
  for (Scene* scene : {&moved, &still}) scene->step();
  EXPECT_NE(moved.hash(), still.hash());
  write(moved, set, shapes);
  EXPECT_NE(moved.hash(), still.hash()) << "they have yet to move";
  for (Scene* scene : {&moved, &still}) scene->step();
  EXPECT_EQ(moved.hash(), still.hash());
}

TEST_P(ColliderHash, tells_every_bit_of_how_a_cloth_collides) {
  std::vector<Change> changes;
  const auto add = [&](const std::string& name, const std::function<void(clothc_cloth_parameters&)>& set) {
    changes.emplace_back(name, [=](Scene& scene) { scene.change_parameters(scene.cloth, set); });
  };
  // 2 is the default.
  for (const uint32_t flags : {0u, 1u, 3u}) {
    add("flags " + std::to_string(flags), [=](auto& p) { p.collision_flags = flags; });
  }
  for (const float value : {0.5f, std::nextafter(0.5f, 1.0f), 1e-30f}) {
    add("margin", [=](auto& p) { p.contact_margin = value; });
    add("mass scale", [=](auto& p) { p.collision_mass_scale = value; });
  }
  expect_all_different(small(GetParam()), changes);
}

}  // namespace
}  // namespace collider_hash_test
