// spoilt_snapshot_test.cpp - snapshots with a correct checksum and one spoilt value. The value is refused if it is
// outside the range of valid state; if it is accepted, everything that can be read stays finite.
#include "support/everything.h"
#include "support/snapshot_damage.h"

using namespace clothc_test;

namespace spoilt_snapshot_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(SpoiltSnapshots);

// Number of particles of a cloth, and number of blocks of state in the order of snapshots.
constexpr size_t particles = 9, block_count = 9;
constexpr size_t block_size = particles * 16, blocks_size = block_count * block_size;

struct Spoilt {
  const char* name;
  uint32_t word;
};
constexpr Spoilt spoilt_words[] = {{"3e38", 0x7f61b1e6},
                                   {"-3e38", 0xff61b1e6},
                                   {"infinity", 0x7f800000},
                                   {"not a number", 0x7fc00000},
                                   {"1e9", 0x4e6e6b28},
                                   {"-1e9", 0xce6e6b28},
                                   {"1e-45", 1},
                                   {"all bits", 0xffffffff}};

clothc_result restore_spoilt(const Scene& scene, const std::vector<uint8_t>& good, size_t at, uint32_t word) {
  std::vector<uint8_t> bytes = good;
  std::memcpy(&bytes[at], &word, 4);
  repair(bytes);
  return clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1);
}

TEST_P(SpoiltSnapshots, are_refused_or_stay_finite) {
  Everything scene(GetParam());
  const std::vector<uint8_t> good = scene.snapshot();
  const uint64_t hash = scene.hash();
  size_t taken = 0, refused = 0;
  const size_t stride = 4 * one_in(GetParam(), 97);
  for (size_t at = 16; at < good.size(); at += stride) {
    for (const Spoilt& spoilt : spoilt_words) {
      const clothc_result result = restore_spoilt(scene, good, at, spoilt.word);
      if (result != CLOTHC_SUCCESS) {
        ++refused;
        ASSERT_TRUE(result == CLOTHC_ERROR_INVALID_ARGUMENT || result == CLOTHC_ERROR_CAPACITY)
            << "byte " << at << " is " << spoilt.name << ": " << clothc_last_error_message();
        continue;
      }
      ++taken;
      for (int update = 0; update < 3; ++update) {
        ASSERT_TRUE(scene.is_finite()) << "byte " << at << " is " << spoilt.name << ", before update " << update;
        scene.step(1, update == 1 ? 0.1f : 1.0f / 60);
      }
      ASSERT_TRUE(scene.is_finite()) << "byte " << at << " is " << spoilt.name;
    }
  }
  ASSERT_OK(clothc_solver_restore(scene.solver, good.data(), good.size(), &scene.fabric, 1));
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_GT(taken, 30u);
  EXPECT_GT(refused, 100u);
}

// The last bytes belong to the last cloth's blocks. Before them lies the state that the device keeps for the cloth,
// which begins with its status.
TEST_P(SpoiltSnapshots, are_refused_by_the_name_of_the_cloth_the_particle_and_the_field) {
  Everything scene(GetParam());
  clothc_phase_config config = initialised<clothc_phase_config>();
  config.stiffness = 0.375f, config.stiffness_multiplier = 0.625f;
  ASSERT_OK(clothc_cloth_set_phases(scene.solver, scene.second, &config, 1));
  const std::vector<uint8_t> good = scene.snapshot();
  const uint64_t hash = scene.hash();
  char cloth[32];
  std::snprintf(cloth, sizeof(cloth), "cloth 0x%x", scene.second);
  const char* const fields[block_count] = {"position",
                                           "previous_position",
                                           "velocity",
                                           "acceleration",
                                           "motion_constraint_start",
                                           "motion_constraint",
                                           "separation_constraint_start",
                                           "separation_constraint",
                                           "rest_position"};
  const auto refuses = [&](size_t at, uint32_t word, const char* what, const char* field) {
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, restore_spoilt(scene, good, at, word), cloth, what, field);
  };
  for (size_t block = 0; block < block_count; ++block) {
    for (size_t value = 0; value < particles * 4; ++value) {
      const std::string particle = "particle " + std::to_string(value / 4) + " has " + fields[block] + " (";
      const size_t at = good.size() - blocks_size + block * block_size + value * 4;
      refuses(at, 0x7f61b1e6, particle.c_str(), "3e+38");
      refuses(at, 0xff61b1e6, particle.c_str(), "-3e+38");
      refuses(at, 0x7f800000, particle.c_str(), "inf");
      refuses(at, 0x7fc00000, particle.c_str(), "nan");
      if (block < 2 && value % 4 == 3) refuses(at, 0xbf800000, particle.c_str(), "-1");
    }
  }
  constexpr size_t state_size = sizeof(clothc_cloth_status) + (17 + 256) * 4;
  const size_t status = good.size() - blocks_size - state_size, behind = status + sizeof(clothc_cloth_status);
  for (const uint32_t word : {0x7f61b1e6u, 0xff61b1e6u, 0x7f800000u, 0x7fc00000u}) {
    for (size_t k = 0; k < 6; ++k)
      refuses(status + offsetof(clothc_cloth_status, bounds_minimum) + 4 * k, word, "bounds", "want");
    refuses(status + offsetof(clothc_cloth_status, iteration_dt), word, "iteration_dt", "1e-6 to 10 s");
    refuses(behind, word, "solver_frequency", "1 to 100000");
    refuses(good.size() - blocks_size - 4, word, "time step", "1e-6 to 10 s");
  }
  for (const uint32_t word : {0xff61b1e6u, 0x7f800000u, 0x7fc00000u}) {
    refuses(status + offsetof(clothc_cloth_status, kinetic_energy), word, "kinetic_energy", "want");
    refuses(status + offsetof(clothc_cloth_status, largest_stretch), word, "largest_stretch", "want");
  }
  const size_t stiffness = offset_of<float>(good, {0.375f, 0.625f});
  for (const uint32_t word : {0x7f61b1e6u, 0xff61b1e6u, 0x7f800000u, 0x7fc00000u})
    refuses(stiffness, word, "phase_config[0].stiffness is", "want 0 to 1");
  refuses(status, 12, "status", "12 bytes");
  refuses(status + 4, 4, "status", "flags 0x4");
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_EQ(scene.snapshot(), good);
}

// Bits 2 .. 4 tell whether a cloth has motion constraints, whether they were set since the last update, and whether the
// last update moved them.
TEST_P(SpoiltSnapshots, flags_of_channels_that_a_cloth_does_not_have_are_refused) {
  const Scene scene(GetParam());
  const std::vector<uint8_t> good = scene.snapshot();
  const size_t flags = offset_of<uint32_t>(good, {30, 0, 0, 0x3f800000}) + 4;
  for (const uint32_t word : {0x8u, 0x10u, 0x18u})
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, restore_spoilt(scene, good, flags, word), "damaged", "flags");
  EXPECT_OK(restore_spoilt(scene, good, flags, 0));
}

}  // namespace
}  // namespace spoilt_snapshot_test
