// typed_sets_test.cpp - sets of every type of constraint are laid out so that their colours, solved one after the other
// with the constraints of each in any order, give what the constraints give in the order of the fabric.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cook/constraints/loose.h"
#include "unit/cook/fabric_checks.h"

namespace clothc::test::typed_sets_test {
namespace {

constexpr uint32_t particle_count = 60;
constexpr uint32_t constraint_count = 300;

// A set of constraints over random particles. Parameter 0 is the number of the constraint, from 1 on; parameter k > 0
// is a value that the number and k give.
FabricData random_fabric(const ConstraintTypeInfo& type, bool reordered) {
  FabricData fabric;
  fabric.particle_count = fabric.vertex_count = particle_count;
  for (uint32_t p = 0; p < particle_count; ++p) fabric.vertex_map.push_back(p);
  if (reordered) {
    for (uint32_t p = 0; p < particle_count; ++p) fabric.storage_order.push_back(p * 7 % particle_count);
  }
  std::minstd_rand random(static_cast<uint32_t>(type.type));
  for (uint32_t c = 0; c < constraint_count; ++c) {
    std::vector<uint32_t> particles;
    while (particles.size() < type.arity) {
      // The last particles of a constraint are few, as anchors are.
      const bool is_last = particles.size() + 1 == type.arity && type.moved < type.arity;
      const auto particle = static_cast<uint32_t>(is_last ? random() % 5 : random() % particle_count);
      if (std::find(particles.begin(), particles.end(), particle) == particles.end()) particles.push_back(particle);
    }
    fabric.constraint_particles.insert(fabric.constraint_particles.end(), particles.begin(), particles.end());
    for (uint32_t k = 0; k < type.width; ++k)
      fabric.constraint_parameters.push_back(k == 0 ? static_cast<float>(c + 1) : static_cast<float>((c + k) % 2));
  }
  fabric.constraint_types = {static_cast<uint32_t>(type.type)};
  fabric.constraint_counts = {constraint_count};
  return fabric;
}

// Whether one of two constraints moves a particle that the other one has.
bool conflict(const FabricData& fabric, const ConstraintTypeInfo& type, uint32_t a, uint32_t b) {
  const uint32_t* first = &fabric.constraint_particles[size_t{a} * type.arity];
  const uint32_t* second = &fabric.constraint_particles[size_t{b} * type.arity];
  for (uint32_t i = 0; i < type.arity; ++i) {
    for (uint32_t j = 0; j < type.arity; ++j) {
      if (first[i] == second[j] && (i < type.moved || j < type.moved)) return true;
    }
  }
  return false;
}

void expect_laid_out(const FabricData& fabric, const ConstraintTypeInfo& type) {
  const LaidOutFabric laid_out = lay_out(fabric);
  ASSERT_EQ(laid_out.layout.sets.size(), 1u);
  const ConstraintLayout& set = laid_out.layout.sets[0];
  EXPECT_EQ(set.type, type.type);
  EXPECT_EQ(set.arity, type.arity);
  EXPECT_EQ(set.width, type.width);
  expect_valid_rows(laid_out, set);
  std::vector<uint32_t> colour_of(constraint_count, UINT32_MAX);
  const std::vector<Range> colours = colours_of(laid_out, set);
  for (uint32_t colour = 0; colour < colours.size(); ++colour) {
    for (uint32_t item = colours[colour].begin; item < colours[colour].end; ++item) {
      const auto c = static_cast<uint32_t>(parameter(laid_out, set, 0, item)) - 1;
      ASSERT_LT(c, constraint_count);
      ASSERT_EQ(colour_of[c], UINT32_MAX) << "constraint " << c << " is there twice";
      colour_of[c] = colour;
      for (uint32_t k = 0; k < type.arity; ++k)
        ASSERT_EQ(stored_particle(laid_out, set, k, item),
                  fabric.storage_index(fabric.constraint_particles[size_t{c} * type.arity + k]));
      for (uint32_t k = 1; k < type.width; ++k) {
        const auto given = static_cast<float>((c + k) % 2);
        const bool is_kept = type.parameters[k].storage == ParameterStorage::kept;
        // No distances hold the particles together.
        const float kept = cook::is_of_shape(type.type) ? 128.0f : -128.0f;
        ASSERT_EQ(parameter(laid_out, set, k, item), is_kept ? given * kept : given);
      }
    }
  }
  for (uint32_t a = 0; a < constraint_count; ++a) {
    ASSERT_NE(colour_of[a], UINT32_MAX) << "constraint " << a << " is missing";
    for (uint32_t b = a + 1; b < constraint_count; ++b) {
      if (!conflict(fabric, type, a, b)) continue;
      ASSERT_NE(colour_of[a], colour_of[b]) << a << " and " << b;
      if (type.stage != ConstraintStage::collision) {
        ASSERT_LT(colour_of[a], colour_of[b]) << a << " and " << b;
      }
    }
  }
}

TEST(TypedSets, of_every_type_keep_the_order_of_constraints_that_share_particles) {
  for (uint32_t number = 1; number <= last_constraint_type(); ++number) {
    const ConstraintTypeInfo& type = *find_constraint_type(number);
    for (const bool reordered : {false, true}) {
      SCOPED_TRACE(std::string(type.name) + (reordered ? ", reordered" : ""));
      expect_laid_out(random_fabric(type, reordered), type);
    }
  }
}

// Anchors that no tether moves make no colours.
TEST(TypedSets, tethers_to_particles_that_stay_are_one_colour) {
  const ConstraintTypeInfo& type = info_of(ConstraintType::tether);
  FabricData fabric = random_fabric(type, false);
  fabric.constraint_particles.clear();
  fabric.constraint_parameters.resize(40);
  fabric.constraint_counts = {40};
  for (uint32_t p = 10; p < 50; ++p) {
    fabric.constraint_particles.push_back(p);
    fabric.constraint_particles.push_back(p % 3);
  }
  const LaidOutFabric laid_out = lay_out(fabric);
  EXPECT_EQ(colour_sizes(laid_out, laid_out.layout.sets[0]), std::vector<uint32_t>{40});
  EXPECT_EQ(laid_out.layout.tether_sets, std::vector<uint32_t>{0});
}

TEST(TypedSets, numbers_without_a_type_are_not_found) {
  EXPECT_EQ(find_constraint_type(0), nullptr);
  EXPECT_EQ(find_constraint_type(last_constraint_type() + 1), nullptr);
  EXPECT_EQ(find_constraint_type(UINT32_MAX), nullptr);
}

}  // namespace
}  // namespace clothc::test::typed_sets_test
