// topology_changes_test.cpp - a cloth that was cut moves, to the bit, like a cloth of a fabric that was made so. Its
// clones, snapshots and hash know the cut, and other cloths of the fabric are not affected.
#include <algorithm>
#include <functional>
#include <numeric>

#include "core/solver/solver.h"
#include "support/blob_scene.h"

using namespace clothc_test;

namespace topology_changes_test {
namespace {

constexpr uint32_t columns = 9, rows = 8;
constexpr uint32_t particle_count = columns * rows;
// The cut runs up along this column from the last row, so that each of its particles becomes two.
constexpr uint32_t cut_column = 4, first_cut_row = 3;
constexpr uint32_t cut_count = rows - first_cut_row;

// A sheet whose vertices are stored in an order that the cooker replaces by another one.
Sheet shuffled_sheet() {
  Sheet sheet(columns, rows, 0.1f), shuffled = sheet;
  for (uint32_t v = 0; v < particle_count; ++v) {
    const uint32_t target = v * 31 % particle_count;
    std::copy_n(&sheet.positions[v * 3], 3, &shuffled.positions[target * 3]);
    shuffled.inverse_masses[target] = sheet.inverse_masses[v];
  }
  std::transform(sheet.quads.begin(), sheet.quads.end(), shuffled.quads.begin(),
                 [](uint32_t v) { return v * 31 % particle_count; });
  return shuffled;
}

// The column and the row of a particle of the fabric, by its rest position.
uint32_t column_of(const std::vector<float>& positions, uint32_t particle) {
  return static_cast<uint32_t>(positions[particle * 4] / 0.1f + 0.5f);
}
uint32_t row_of(const std::vector<float>& positions, uint32_t particle) {
  return static_cast<uint32_t>(positions[particle * 4 + 2] / 0.1f + 0.5f);
}

// What the cut does: the particles that become two, and whether a constraint or a triangle of these particles takes the
// second one: if it has a particle on the right of the cut.
struct Cut {
  explicit Cut(std::vector<float> rest) : positions(std::move(rest)) {
    for (uint32_t p = 0; p < particle_count; ++p) {
      if (column_of(positions, p) == cut_column && row_of(positions, p) >= first_cut_row) particles.push_back(p);
    }
  }
  // Moves the particles of one constraint or triangle.
  void apply(uint32_t* first, size_t count) const {
    // Particles that were split off are on the cut.
    const bool is_right = std::any_of(
        first, first + count, [&](uint32_t p) { return p < particle_count && column_of(positions, p) > cut_column; });
    for (uint32_t* p = first; is_right && p < first + count; ++p) {
      const auto found = std::find(particles.begin(), particles.end(), *p);
      if (found != particles.end()) *p = particle_count + static_cast<uint32_t>(found - particles.begin());
    }
  }
  std::vector<float> positions;
  std::vector<uint32_t> particles;
};

class TopologyChanges : public OnEveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backend, TopologyChanges, testing::ValuesIn(available_backends()), backend_name);

// A scene with the sheet as its fabric, in wind, above a sphere.
struct CutScene : Scene {
  explicit CutScene(clothc_backend backend) : Scene(options(backend)) {
    sheet = shuffled_sheet();
    clothc_mesh_desc mesh = sheet.desc();
    mesh.virtual_particles_per_triangle = 1;
    mesh.tethers_per_particle = 1;
    mesh.long_range_edges[0] = 2;
    replace_fabric(mesh);
  }
  static SceneOptions options(clothc_backend backend) {
    SceneOptions options(backend);
    options.has_cloth = false;
    return options;
  }
  clothc_cloth_id add_sheet(uint32_t spare_count) {
    clothc_cloth_desc desc = cloth_desc();
    desc.spare_particle_count = spare_count;
    const clothc_cloth_id id = add(desc);
    change_parameters(id, [&](clothc_cloth_parameters& p) {
      p.wind_velocity[0] = 4;
      p.wind_velocity[2] = 1;
      p.drag_coefficient = 0.5f;
      p.lift_coefficient = 0.3f;
      p.fluid_density = 1.2f;
      p.self_collision_distance = 0.03f;
      p.self_collision_friction = 0.2f;
      p.friction = 0.3f;
      p.collision_flags = 0;
    });
    const clothc_collider_set_id set = sphere_set(0.5f, 0.6f, 0.3f, 0.25f);
    require(clothc_cloth_set_collider_sets(solver, id, &set, 1));
    return id;
  }
  std::vector<uint32_t> intersections(clothc_cloth_id id) const {
    return get_words(device, solver, id, CLOTHC_CHANNEL_INTERSECTION_COUNT);
  }
  clothc::Solver& inside() const {
    return static_cast<clothc::Solver&>(
        *clothc::handle_table().find(reinterpret_cast<uintptr_t>(solver), clothc::ObjectKind::solver));
  }
  // Cuts a cloth by changing its topology.
  void cut(clothc_cloth_id id) const {
    clothc::Cloths& cloths = inside().cloths();
    clothc::Cloth& cloth = cloths.get(id);
    const Cut cut(cloth.layout().positions);
    for (const uint32_t particle : cut.particles) cloths.split_particle(cloth, particle);
    const clothc::FabricLayout& layout = cloth.layout();
    std::vector<uint32_t> number_of(layout.particle_count);
    for (uint32_t p = 0; p < layout.particle_count; ++p) number_of[layout.storage_index(p)] = p;
    const clothc::TopologyChanges& topology = cloths.own_topology(cloth);
    for (const uint32_t particle : cut.particles) {
      for (const clothc::ParticleReference& reference : topology.references_to(layout.storage_index(particle))) {
        uint32_t names[4];
        const bool is_triangle = reference.set == clothc::ParticleReference::in_triangles;
        const uint32_t count = is_triangle ? 3 : layout.sets[reference.set].arity;
        // Tethers stay on the particles on the left.
        if (!is_triangle && layout.sets[reference.set].type == clothc::ConstraintType::tether) continue;
        for (uint32_t row = 0; row < count; ++row)
          names[row] = number_of[topology.particle_at({reference.set, reference.item, row})];
        cut.apply(names, count);
        cloths.move_reference(cloth, reference, names[reference.row]);
      }
    }
  }
};

// A fabric with the arrays of another one, in which the cut has been made.
class CutFabric {
 public:
  explicit CutFabric(clothc_fabric fabric) : cut_(read_fabric<float>(fabric, CLOTHC_FABRIC_POSITIONS)) {
    phase_sets_ = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_PHASE_SETS);
    phase_types_ = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_PHASE_TYPES);
    set_ends_ = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_SET_ENDS);
    indices_ = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_INDICES);
    rest_lengths_ = read_fabric<float>(fabric, CLOTHC_FABRIC_REST_LENGTHS);
    anchors_ = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_TETHER_ANCHORS);
    lengths_ = read_fabric<float>(fabric, CLOTHC_FABRIC_TETHER_LENGTHS);
    triangles_ = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_TRIANGLES);
    virtual_particles_ = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_VIRTUAL_PARTICLES);
    weights_ = read_fabric<float>(fabric, CLOTHC_FABRIC_VIRTUAL_WEIGHTS);
    positions_ = cut_.positions;
    for (const uint32_t particle : cut_.particles) {
      positions_.insert(positions_.end(), &cut_.positions[particle * 4], &cut_.positions[particle * 4] + 4);
      // A particle that is its own anchor has no tether.
      anchors_.push_back(particle_count + static_cast<uint32_t>(anchors_.size() - particle_count));
      lengths_.push_back(0);
    }
    for (size_t k = 0; k < indices_.size(); k += 2) cut_.apply(&indices_[k], 2);
    for (size_t k = 0; k < triangles_.size(); k += 3) cut_.apply(&triangles_[k], 3);
    for (size_t k = 0; k < virtual_particles_.size(); k += 4) cut_.apply(&virtual_particles_[k], 3);
  }
  clothc_fabric_desc desc() const {
    clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
    // As in cooked fabrics.
    desc.flags = CLOTHC_FABRIC_EXACT_LENGTHS;
    desc.particle_count = particle_count + cut_count;
    desc.phase_count = static_cast<uint32_t>(phase_sets_.size());
    desc.phase_sets = phase_sets_.data();
    desc.phase_types = phase_types_.data();
    desc.positions = positions_.data();
    desc.set_count = static_cast<uint32_t>(set_ends_.size());
    desc.set_ends = set_ends_.data();
    desc.constraint_count = rest_lengths_.size();
    desc.indices = indices_.data();
    desc.rest_lengths = rest_lengths_.data();
    desc.tethers_per_particle = 1;
    desc.tether_anchors = anchors_.data();
    desc.tether_lengths = lengths_.data();
    desc.triangle_count = triangles_.size() / 3;
    desc.triangles = triangles_.data();
    desc.virtual_particle_count = static_cast<uint32_t>(virtual_particles_.size() / 4);
    desc.virtual_weight_count = static_cast<uint32_t>(weights_.size() / 3);
    desc.virtual_particles = virtual_particles_.data();
    desc.virtual_weights = weights_.data();
    return desc;
  }

 private:
  Cut cut_;
  std::vector<uint32_t> phase_sets_, phase_types_, set_ends_, indices_, anchors_, triangles_, virtual_particles_;
  std::vector<float> rest_lengths_, lengths_, weights_, positions_;
};

TEST_P(TopologyChanges, give_what_a_fabric_made_so_gives) {
  CutScene changed(GetParam()), made(GetParam());
  // Virtual particles, for which no fabric promises an order, do not collide here.
  const clothc_cloth_id cloth = changed.add_sheet(cut_count);
  const CutFabric fabric(changed.fabric);
  made.replace_fabric(fabric.desc());
  const clothc_cloth_id expected = made.add_sheet(0);
  // Fabrics that are made have no coarse levels.
  changed.change_parameters(cloth, [](clothc_cloth_parameters& p) { p.hierarchy_stiffness = 0; });
  // A channel whose elements new particles take over.
  changed.set(CLOTHC_CHANNEL_ACCELERATION, cloth, std::vector<float>(particle_count * 4, 0.5f));
  made.set(CLOTHC_CHANNEL_ACCELERATION, expected, std::vector<float>((particle_count + cut_count) * 4, 0.5f));
  changed.cut(cloth);
  EXPECT_EQ(changed.info(cloth).particle_count, particle_count + cut_count);
  EXPECT_EQ(changed.info(cloth).spare_particle_count, 0u);
  for (int frame = 0; frame < 40; ++frame) {
    changed.step();
    made.step();
    if (frame % 10 == 9) {
      ASSERT_EQ(changed.intersections(cloth), made.intersections(expected)) << "frame " << frame;
    }
    for (const clothc_channel channel :
         {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_PREVIOUS_POSITION, CLOTHC_CHANNEL_NORMAL})
      ASSERT_EQ(changed.get(channel, cloth), made.get(channel, expected))
          << "channel " << channel << ", frame " << frame;
  }
  // The two sides of the cut have parted.
  const std::vector<float> positions = changed.get(CLOTHC_CHANNEL_POSITION, cloth);
  const Cut cut(read_fabric<float>(changed.fabric, CLOTHC_FABRIC_POSITIONS));
  const auto lowest = std::find_if(cut.particles.begin(), cut.particles.end(),
                                   [&](uint32_t p) { return row_of(cut.positions, p) + 1 == rows; });
  const auto number = static_cast<size_t>(lowest - cut.particles.begin());
  double square = 0;
  for (size_t k = 0; k < 3; ++k)
    square += std::pow(positions[*lowest * 4 + k] - positions[(particle_count + number) * 4 + k], 2);
  EXPECT_GT(std::sqrt(square), 0.02);
}

// Edges follow the triangles: those on the cut become two.
TEST_P(TopologyChanges, have_the_edges_of_the_triangles_as_they_are) {
  CutScene changed(GetParam()), made(GetParam());
  const clothc_cloth_id cloth = changed.add_sheet(cut_count), clone = [&] {
    // The clone keeps the edges of the fabric.
    EXPECT_EQ(changed.intersections(cloth), std::vector<uint32_t>(particle_count, 0));
    clothc_cloth_id id = 0;
    require(clothc_cloth_clone(changed.solver, cloth, &id));
    return id;
  }();
  made.replace_fabric(CutFabric(changed.fabric).desc());
  const clothc_cloth_id expected = made.add_sheet(0);
  changed.cut(cloth);
  const auto edges = [](const CutScene& scene, clothc_cloth_id id) {
    return scene.inside().cloths().get(id).primitives->edges.count;
  };
  std::vector<float> crumpled = made.get(CLOTHC_CHANNEL_POSITION, expected);
  for (size_t k = 0; k < crumpled.size(); ++k)
    crumpled[k] = k % 4 == 3 ? crumpled[k] : 0.01f * static_cast<float>(k * k % 61);
  changed.set(CLOTHC_CHANNEL_POSITION, cloth, crumpled);
  made.set(CLOTHC_CHANNEL_POSITION, expected, crumpled);
  const std::vector<uint32_t> counts = made.intersections(expected);
  EXPECT_GT(std::accumulate(counts.begin(), counts.end(), 0u), 1000u);
  EXPECT_EQ(changed.intersections(cloth), counts);
  EXPECT_EQ(edges(changed, cloth), edges(made, expected));
  EXPECT_EQ(changed.intersections(clone), std::vector<uint32_t>(particle_count, 0));
  EXPECT_EQ(edges(changed, clone) + cut_count, edges(changed, cloth)) << "each edge of the cut becomes two";
}

// What a cloth has for counting intersections is for the next cloth when it is removed.
TEST_P(TopologyChanges, leave_no_memory_of_edges_behind) {
  CutScene scene(GetParam());
  std::vector<uint32_t> places;
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.spare_particle_count = cut_count;
  for (int k = 0; k < 3; ++k) {
    const clothc_cloth_id cloth = scene.add(desc);
    scene.intersections(cloth);
    scene.cut(cloth);
    scene.intersections(cloth);
    const clothc::Cloth& inside = scene.inside().cloths().get(cloth);
    places.insert(places.end(), {inside.primitive_headers, inside.primitives->first});
    require(clothc_cloth_remove(scene.solver, cloth));
  }
  EXPECT_EQ(places, (std::vector<uint32_t>{places[0], places[1], places[0], places[1], places[0], places[1]}));
}

TEST_P(TopologyChanges, are_the_cloths_own_and_known_to_clones_snapshots_and_the_hash) {
  CutScene scene(GetParam()), alone(GetParam());
  const clothc_cloth_id cut = scene.add_sheet(cut_count + 20), whole = scene.add_sheet(0);
  scene.change_parameters(cut, [](auto& p) { p.collision_flags = CLOTHC_COLLISION_VIRTUAL_PARTICLES; });
  const clothc_cloth_id other = alone.add_sheet(0), untouched = alone.add_sheet(0);
  alone.change_parameters(other, [](auto& p) { p.collision_flags = CLOTHC_COLLISION_VIRTUAL_PARTICLES; });
  scene.step(3);
  const uint64_t before = scene.hash();
  EXPECT_EQ(before, (alone.step(3), alone.hash()));
  scene.cut(cut);
  EXPECT_NE(scene.hash(), before);
  scene.step(5);
  alone.step(5);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, whole), alone.get(CLOTHC_CHANNEL_POSITION, untouched));

  clothc_cloth_id clone = 0;
  ASSERT_OK(clothc_cloth_clone(scene.solver, cut, &clone));
  EXPECT_EQ(scene.info(clone).spare_particle_count, 20u);
  const std::vector<uint8_t> bytes = scene.snapshot();
  CutScene restored(GetParam());
  ASSERT_OK(clothc_solver_restore(restored.solver, bytes.data(), bytes.size(), &restored.fabric, 1));
  EXPECT_EQ(restored.hash(), scene.hash());
  EXPECT_EQ(restored.snapshot(), bytes);
  scene.step(5);
  restored.step(5);
  EXPECT_EQ(restored.hash(), scene.hash());
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, clone), scene.get(CLOTHC_CHANNEL_POSITION, cut));

  // A further cut of the clone leaves its original as it is.
  clothc::Cloths& cloths = scene.inside().cloths();
  const uint32_t split = cloths.split_particle(cloths.get(clone), 5);
  EXPECT_EQ(split, particle_count + cut_count);
  EXPECT_EQ(scene.info(cut).particle_count, particle_count + cut_count);
  scene.step(5);
  restored.step(5);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, cut), restored.get(CLOTHC_CHANNEL_POSITION, cut));

  // Compaction moves the particles, and removal frees all of them.
  ASSERT_OK(clothc_cloth_remove(scene.solver, cut));
  const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, clone);
  clothc_move moves[2];
  uint32_t count = 2;
  ASSERT_OK(clothc_solver_compact(scene.solver, moves, &count));
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, clone), positions);
  scene.step();
  for (const clothc_cloth_id id : {whole, clone}) ASSERT_OK(clothc_cloth_remove(scene.solver, id));
  EXPECT_EQ(scene.info().largest_hole, scene.info().particle_capacity);
  EXPECT_EQ(scene.info().particle_count, 0u);
}

TEST_P(TopologyChanges, that_would_break_the_order_of_constraints_or_need_more_particles_are_refused) {
  CutScene scene(GetParam());
  const clothc_cloth_id id = scene.add_sheet(1);
  clothc::Cloths& cloths = scene.inside().cloths();
  clothc::Cloth& cloth = cloths.get(id);
  const uint32_t split = cloths.split_particle(cloth, 3);
  EXPECT_THROW(cloths.split_particle(cloth, 4), clothc::Failure);
  EXPECT_THROW(cloths.split_particle(cloth, particle_count + 1), clothc::Failure);
  const clothc::TopologyChanges& topology = cloths.own_topology(cloth);
  const uint32_t other = cloth.layout().storage_index(4);
  const clothc::ParticleReference reference = topology.references_to(other).front();
  EXPECT_THROW(cloths.move_reference(cloth, reference, split), clothc::Failure);
  EXPECT_THROW(cloths.move_reference(cloth, reference, split + 1), clothc::Failure);
  EXPECT_THROW(cloths.move_reference(cloth, {99, 0, 0}, split), clothc::Failure);
  EXPECT_EQ(topology.particle_at(reference), other);
  // A reference that moves back leaves no trace.
  const uint64_t hash = scene.hash();
  const clothc::ParticleReference own = topology.references_to(cloth.layout().storage_index(3)).front();
  cloths.move_reference(cloth, own, split);
  EXPECT_NE(scene.hash(), hash);
  cloths.move_reference(cloth, own, 3);
  EXPECT_EQ(scene.hash(), hash);
}

}  // namespace
}  // namespace topology_changes_test
