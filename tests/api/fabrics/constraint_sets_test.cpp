// constraint_sets_test.cpp - sets of constraints given by type: they do what the flat arrays of the same constraints
// do, blobs and reads keep them, and mistakes in them are refused.
#include "support/blob_scene.h"

using namespace clothc_test;

namespace constraint_sets_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ConstraintSets);

// Constraints of one type.
struct TypedSet {
  clothc_constraint_type type;
  std::vector<uint32_t> particles;
  std::vector<float> parameters;
  uint64_t count;
};

// A sheet with tethers and virtual particles as flat arrays, and the same constraints as sets of their types.
class TwoForms {
 public:
  explicit TwoForms(clothc_fabric cooked, bool has_stiffness = false) {
    const clothc_fabric_info info = fabric_info(cooked);
    phase_sets_ = read_fabric<uint32_t>(cooked, CLOTHC_FABRIC_PHASE_SETS);
    phase_types_ = read_fabric<uint32_t>(cooked, CLOTHC_FABRIC_PHASE_TYPES);
    set_ends_ = read_fabric<uint32_t>(cooked, CLOTHC_FABRIC_SET_ENDS);
    indices_ = read_fabric<uint32_t>(cooked, CLOTHC_FABRIC_INDICES);
    rest_lengths_ = read_fabric<float>(cooked, CLOTHC_FABRIC_REST_LENGTHS);
    anchors_ = read_fabric<uint32_t>(cooked, CLOTHC_FABRIC_TETHER_ANCHORS);
    lengths_ = read_fabric<float>(cooked, CLOTHC_FABRIC_TETHER_LENGTHS);
    positions_ = read_fabric<float>(cooked, CLOTHC_FABRIC_POSITIONS);
    virtual_particles_ = read_fabric<uint32_t>(cooked, CLOTHC_FABRIC_VIRTUAL_PARTICLES);
    weights_ = read_fabric<float>(cooked, CLOTHC_FABRIC_VIRTUAL_WEIGHTS);
    if (has_stiffness) {
      for (size_t k = 0; k < rest_lengths_.size(); ++k) stiffness_.push_back(static_cast<float>(k % 5) * 0.2f);
    }
    particle_count_ = info.particle_count;
    make_sets(info);
  }

  clothc_fabric_desc flat() const {
    clothc_fabric_desc desc = common();
    desc.set_count = static_cast<uint32_t>(set_ends_.size());
    desc.set_ends = set_ends_.data();
    desc.constraint_count = rest_lengths_.size();
    desc.indices = indices_.data();
    desc.rest_lengths = rest_lengths_.data();
    if (!stiffness_.empty()) desc.stiffness_values = stiffness_.data();
    desc.tethers_per_particle = 1;
    desc.tether_anchors = anchors_.data();
    desc.tether_lengths = lengths_.data();
    desc.virtual_particle_count = static_cast<uint32_t>(virtual_particles_.size() / 4);
    desc.virtual_weight_count = static_cast<uint32_t>(weights_.size() / 3);
    desc.virtual_particles = virtual_particles_.data();
    desc.virtual_weights = weights_.data();
    return desc;
  }

  // The result points into this object.
  clothc_fabric_desc typed() {
    descs_.clear();
    for (const TypedSet& set : sets) {
      clothc_constraint_set desc = initialised<clothc_constraint_set>();
      desc.type = set.type;
      desc.constraint_count = set.count;
      desc.particles = set.particles.data();
      desc.parameters = set.parameters.data();
      descs_.push_back(desc);
    }
    clothc_fabric_desc desc = common();
    desc.constraint_set_count = static_cast<uint32_t>(descs_.size());
    desc.constraint_sets = descs_.data();
    return desc;
  }

  std::vector<TypedSet> sets;

 private:
  clothc_fabric_desc common() const {
    clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
    desc.particle_count = particle_count_;
    desc.phase_count = static_cast<uint32_t>(phase_sets_.size());
    desc.phase_sets = phase_sets_.data();
    desc.phase_types = phase_types_.data();
    desc.positions = positions_.data();
    return desc;
  }

  void make_sets(const clothc_fabric_info& info) {
    size_t begin = 0;
    for (size_t s = 0; s < set_ends_.size(); ++s) {
      TypedSet set{CLOTHC_CONSTRAINT_DISTANCE, {}, {}, set_ends_[s] - begin};
      if (!stiffness_.empty()) set.type = CLOTHC_CONSTRAINT_STIFF_DISTANCE;
      // The cooker makes one phase of each set, in their order.
      if (phase_types_[s] == CLOTHC_PHASE_LONG_RANGE) set.type = CLOTHC_CONSTRAINT_LONG_RANGE;
      for (; begin < set_ends_[s]; ++begin) {
        set.particles.insert(set.particles.end(), {indices_[begin * 2], indices_[begin * 2 + 1]});
        set.parameters.push_back(rest_lengths_[begin]);
        if (set.type == CLOTHC_CONSTRAINT_STIFF_DISTANCE) set.parameters.push_back(stiffness_[begin]);
      }
      sets.push_back(std::move(set));
    }
    TypedSet tethers{CLOTHC_CONSTRAINT_TETHER, {}, {}, 0};
    for (uint32_t p = 0; p < info.particle_count; ++p) {
      if (anchors_[p] == p) continue;
      tethers.particles.insert(tethers.particles.end(), {p, anchors_[p]});
      tethers.parameters.push_back(lengths_[p]);
      ++tethers.count;
    }
    sets.push_back(std::move(tethers));
    TypedSet points{CLOTHC_CONSTRAINT_VIRTUAL_PARTICLE, {}, {}, virtual_particles_.size() / 4};
    for (size_t v = 0; v < virtual_particles_.size(); v += 4) {
      points.particles.insert(points.particles.end(), &virtual_particles_[v], &virtual_particles_[v] + 3);
      const float* row = &weights_[size_t{virtual_particles_[v + 3]} * 3];
      points.parameters.insert(points.parameters.end(), row, row + 3);
    }
    sets.push_back(std::move(points));
  }

  uint32_t particle_count_;
  std::vector<uint32_t> phase_sets_, phase_types_, set_ends_, indices_, anchors_, virtual_particles_;
  std::vector<float> rest_lengths_, stiffness_, lengths_, positions_, weights_;
  std::vector<clothc_constraint_set> descs_;
};

TwoForms two_forms(Scene& scene, bool has_stiffness = false) {
  clothc_mesh_desc mesh = scene.sheet.desc();
  mesh.virtual_particles_per_triangle = 1;
  mesh.long_range_edges[0] = 2;
  scene.replace_fabric(mesh);
  return TwoForms(scene.fabric, has_stiffness);
}

SceneOptions without_cloth(clothc_backend backend) {
  SceneOptions options(backend);
  options.has_cloth = false;
  return options;
}

TEST_P(ConstraintSets, give_the_bits_of_the_same_constraints_as_flat_arrays) {
  for (const bool has_stiffness : {false, true}) {
    Scene scene(without_cloth(GetParam()));
    TwoForms forms = two_forms(scene, has_stiffness);
    const clothc_collider_set_id sphere = scene.sphere_set(0.62f, 0.8f, 0.62f, 0.12f);
    std::vector<clothc_cloth_id> cloths;
    for (const clothc_fabric_desc& desc : {forms.flat(), forms.typed()}) {
      scene.replace_fabric(desc);
      clothc_cloth_desc cloth = scene.cloth_desc();
      cloth.collider_sets = &sphere;
      cloth.collider_set_count = 1;
      cloths.push_back(scene.add(cloth));
      scene.change_parameters(cloths.back(), [](auto& p) {
        p.tether_scale = 0.9f;
        p.tether_stiffness = 0.7f;
        p.collision_flags = CLOTHC_COLLISION_VIRTUAL_PARTICLES;
      });
    }
    const std::vector<float> before = scene.get(CLOTHC_CHANNEL_POSITION, cloths[0]);
    for (int frame = 0; frame < 40; ++frame) {
      scene.step();
      ASSERT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, cloths[0]), scene.get(CLOTHC_CHANNEL_POSITION, cloths[1]))
          << "frame " << frame << (has_stiffness ? " with stiffness" : "");
    }
    EXPECT_NE(scene.get(CLOTHC_CHANNEL_POSITION, cloths[0]), before);
  }
}

// Each of these constraints changes the motion, so that leaving it out would be noticed above.
TEST_P(ConstraintSets, of_each_type_change_the_motion) {
  Scene scene(without_cloth(GetParam()));
  TwoForms forms = two_forms(scene);
  const clothc_collider_set_id sphere = scene.sphere_set(0.62f, 0.8f, 0.62f, 0.12f);
  const auto moved = [&] {
    scene.replace_fabric(forms.typed());
    clothc_cloth_desc desc = scene.cloth_desc();
    desc.collider_sets = &sphere;
    desc.collider_set_count = 1;
    const clothc_cloth_id cloth = scene.add(desc);
    scene.change_parameters(cloth, [](auto& p) {
      p.tether_scale = 0.9f;
      p.collision_flags = CLOTHC_COLLISION_VIRTUAL_PARTICLES;
    });
    scene.step(30);
    const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, cloth);
    require(clothc_cloth_remove(scene.solver, cloth));
    return positions;
  };
  const std::vector<float> all = moved();
  for (TypedSet& set : forms.sets) {
    const uint64_t count = set.count;
    set.count = 0;
    EXPECT_NE(moved(), all) << "without the set of type " << set.type;
    set.count = count;
  }
  EXPECT_EQ(moved(), all);
}

TEST_P(ConstraintSets, are_solved_in_the_order_of_the_phases_beside_flat_pairs) {
  Scene scene(without_cloth(GetParam()));
  // Two pairs over the same particles: which one is solved last decides where the free particle is.
  const float positions[8] = {0, 0, 0, 0, 1, 0, 0, 1};
  const uint32_t pair[2] = {0, 1}, end = 1, types[2] = {CLOTHC_PHASE_STRETCH, CLOTHC_PHASE_STRETCH};
  const float shorter = 1, longer = 2;
  clothc_constraint_set set = initialised<clothc_constraint_set>();
  set.type = CLOTHC_CONSTRAINT_DISTANCE;
  set.constraint_count = 1;
  set.particles = pair;
  set.parameters = &longer;
  for (const bool longer_last : {false, true}) {
    const uint32_t phase_sets[2] = {longer_last ? 0u : 1u, longer_last ? 1u : 0u};
    clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
    desc.particle_count = 2;
    desc.phase_count = 2;
    desc.phase_sets = phase_sets;
    desc.phase_types = types;
    desc.set_count = 1;
    desc.set_ends = &end;
    desc.constraint_count = 1;
    desc.indices = pair;
    desc.rest_lengths = &shorter;
    desc.positions = positions;
    desc.constraint_sets = &set;
    desc.constraint_set_count = 1;
    scene.replace_fabric(desc);
    EXPECT_EQ(fabric_info(scene.fabric).constraint_set_count, 1u);
    EXPECT_EQ(fabric_info(scene.fabric).colour_count, 2u);
    const clothc_cloth_id cloth = scene.add();
    scene.change_parameters(cloth, [](auto& p) { p.gravity[1] = 0; });
    scene.step();
    // The last constraint removes 95 % of its error.
    EXPECT_NEAR(scene.get(CLOTHC_CHANNEL_POSITION, cloth)[4], longer_last ? 2 : 1, 0.05f);
  }
}

// Nothing but gravity acts then. One set is of no type, but of pairs.
TEST_P(ConstraintSets, that_are_all_empty_change_nothing) {
  Scene scene(without_cloth(GetParam()));
  constexpr float positions[] = {0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1};
  constexpr uint32_t phase_sets[] = {0, 1, 2, 3, 4, 5}, no_end = 0;
  std::vector<clothc_constraint_set> sets;
  for (const clothc_constraint_type type :
       {CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE, CLOTHC_CONSTRAINT_TRIANGLE_AREA, CLOTHC_CONSTRAINT_DISTANCE,
        CLOTHC_CONSTRAINT_STIFF_DISTANCE, CLOTHC_CONSTRAINT_LONG_RANGE, CLOTHC_CONSTRAINT_TETHER,
        CLOTHC_CONSTRAINT_VIRTUAL_PARTICLE}) {
    sets.push_back(initialised<clothc_constraint_set>());
    sets.back().type = type;
  }
  clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
  desc.particle_count = 4;
  desc.positions = positions;
  scene.replace_fabric(desc);
  const clothc_cloth_id free_fall = scene.add();
  desc.phase_count = 6;
  desc.phase_sets = phase_sets;
  desc.set_count = 1;
  desc.set_ends = &no_end;
  desc.constraint_set_count = static_cast<uint32_t>(sets.size());
  desc.constraint_sets = sets.data();
  for (const uint32_t flags : {0u, uint32_t{CLOTHC_FABRIC_REORDER} | CLOTHC_FABRIC_EXACT_LENGTHS}) {
    desc.flags = flags;
    scene.replace_fabric(desc);
    EXPECT_EQ(fabric_info(scene.fabric).constraint_set_count, sets.size());
    EXPECT_EQ(fabric_info(scene.fabric).colour_count, 0u);
    uint64_t size = 0;
    ASSERT_OK(clothc_fabric_save(scene.fabric, nullptr, &size));
    std::vector<uint8_t> blob(size);
    ASSERT_OK(clothc_fabric_save(scene.fabric, blob.data(), &size));
    clothc_fabric loaded = nullptr;
    ASSERT_OK(clothc_fabric_load(scene.device, blob.data(), size, &loaded));
    EXPECT_EQ(fabric_info(loaded).content_hash, fabric_info(scene.fabric).content_hash);
    EXPECT_OK(clothc_fabric_destroy(loaded));
    const clothc_cloth_id cloth = scene.add();
    ASSERT_OK(clothc_cloth_reset(scene.solver, free_fall, nullptr));
    scene.step(5);
    EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, cloth), scene.get(CLOTHC_CHANNEL_POSITION, free_fall));
    EXPECT_LT(scene.get(CLOTHC_CHANNEL_POSITION, cloth)[1], 0.0f);
  }
}

TEST(ConstraintSetBlobs, keep_the_sets) {
  BlobScene scene;
  TwoForms forms = two_forms(scene);
  scene.replace_fabric(forms.typed());
  scene.blob = BlobScene::save(scene.fabric);
  expect_same_after_loading(scene);
  const std::vector<TypedSet>& sets = forms.sets;
  const auto types = read_fabric<uint32_t>(scene.fabric, CLOTHC_FABRIC_CONSTRAINT_TYPES);
  const auto counts = read_fabric<uint32_t>(scene.fabric, CLOTHC_FABRIC_CONSTRAINT_COUNTS);
  const auto particles = read_fabric<uint32_t>(scene.fabric, CLOTHC_FABRIC_CONSTRAINT_PARTICLES);
  const auto parameters = read_fabric<float>(scene.fabric, CLOTHC_FABRIC_CONSTRAINT_PARAMETERS);
  ASSERT_EQ(types.size(), sets.size());
  size_t particle = 0, parameter = 0;
  for (size_t s = 0; s < sets.size(); ++s) {
    EXPECT_EQ(types[s], sets[s].type);
    EXPECT_EQ(counts[s], sets[s].count);
    for (const uint32_t expected : sets[s].particles) ASSERT_EQ(particles[particle++], expected);
    for (const float expected : sets[s].parameters) ASSERT_EQ(parameters[parameter++], expected);
  }
  EXPECT_EQ(particle, particles.size());
  EXPECT_EQ(parameter, parameters.size());
}

// Damage that the checksum does not show must be found by the checks of the arrays.
TEST(ConstraintSetBlobs, with_forged_sets_are_refused) {
  BlobScene scene;
  TwoForms forms = two_forms(scene);
  scene.replace_fabric(forms.typed());
  scene.blob = BlobScene::save(scene.fabric);
  ASSERT_EQ(BlobScene::section_count(scene.blob), 23u);
  const auto bad = CLOTHC_ERROR_INVALID_ARGUMENT;
  EXPECT_FAILS(bad, scene.load_forged(scene.section(20), 0), "type 0");
  EXPECT_FAILS(bad, scene.load_forged(scene.section(20), 99), "type 99");
  EXPECT_FAILS(bad, scene.load_forged(scene.section(21), 0xffffffffu), "entries");
  EXPECT_FAILS(bad, scene.load_forged(scene.section(22), 0xffffffffu), "below particle_count");
  EXPECT_FAILS(bad, scene.load_forged(scene.section(23), 0x7fc00000u), "rest_length nan");
}

TEST_P(ConstraintSets, with_mistakes_are_refused_naming_the_set_and_the_constraint) {
  Scene scene(without_cloth(GetParam()));
  TwoForms forms = two_forms(scene);
  const auto refused = [&](const char* what,
                           const std::function<void(clothc_fabric_desc&, clothc_constraint_set&)>& change,
                           std::initializer_list<const char*> parts) {
    clothc_fabric_desc desc = forms.typed();
    std::vector<clothc_constraint_set> sets(desc.constraint_sets, desc.constraint_sets + desc.constraint_set_count);
    desc.constraint_sets = sets.data();
    change(desc, sets[1]);
    clothc_fabric fabric = nullptr;
    expect_failure(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_create(scene.device, &desc, &fabric), parts, what);
    EXPECT_EQ(fabric, nullptr);
  };
  using D = clothc_fabric_desc;
  using S = clothc_constraint_set;
  refused("no type", [](D&, S& s) { s.type = 0; }, {"constraint_set[1].type is 0", "1 to"});
  refused("unknown type", [](D&, S& s) { s.type = 99; }, {"constraint_set[1].type is 99"});
  refused("no particles", [](D&, S& s) { s.particles = nullptr; }, {"constraint_set[1].particles is null"});
  refused("no parameters", [](D&, S& s) { s.parameters = nullptr; }, {"constraint_set[1].parameters is null"});
  refused("too many", [](D&, S& s) { s.constraint_count = uint64_t{1} << 40; }, {"1099511627776", "2^28"});
  refused("no sets", [](D& d, S&) { d.constraint_sets = nullptr; }, {"constraint_sets is null"});
  refused("too many sets", [](D& d, S&) { d.constraint_set_count = (1u << 24) + 1; }, {"16777217"});
  refused("reserved", [](D& d, S&) { d.reserved2 = 1; }, {"reserved2 1"});
  const uint32_t outside[2] = {0, 30}, twice[2] = {3, 3};
  refused("particle",
          [&](D&, S& s) {
            s.particles = outside;
            s.constraint_count = 1;
          },
          {"constraint 0 of constraint_set[1]", "particle 30", "particle_count 30"});
  refused("loop",
          [&](D&, S& s) {
            s.particles = twice;
            s.constraint_count = 1;
          },
          {"particle 3 twice"});
  for (const float length : {-1.0f, 5e9f, not_a_number}) {
    refused("length",
            [&](D&, S& s) {
              s.parameters = &length;
              s.constraint_count = 1;
            },
            {"constraint_set[1]", "rest_length"});
  }
  const uint32_t three[3] = {0, 1, 2};
  const float weights[3] = {0.5f, 0.5f, 0.5f};
  refused("weights",
          [&](D&, S& s) {
            s.type = CLOTHC_CONSTRAINT_VIRTUAL_PARTICLE;
            s.constraint_count = 1;
            s.particles = three;
            s.parameters = weights;
          },
          {"sum 1.5"});
  const uint32_t beyond = static_cast<uint32_t>(forms.sets.size()), tethers = beyond - 2;
  refused("phase",
          [&](D& d, S&) {
            d.phase_sets = &beyond;
            d.phase_count = 1;
          },
          {"phase_sets[0]", "below set_count"});
  refused("phase of tethers",
          [&](D& d, S&) {
            d.phase_sets = &tethers;
            d.phase_count = 1;
          },
          {"phase_sets[0]", "tether", "leave it out"});
}

}  // namespace
}  // namespace constraint_sets_test
