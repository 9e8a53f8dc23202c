// stage_arguments_test.cpp - the permitted parameters of frames, wind, sleep and statistics, the permitted frames, and
// the arguments of a reset. A refusal gives a message with field, value and range, and changes nothing.
#include "support/refusals.h"

using namespace clothc_test;

namespace stage_arguments_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(StageArguments);

using P = clothc_cloth_parameters;
using F = clothc_cloth_frame;

struct Range {
  const char* name;
  std::function<float&(P&)> field;
  float low, high;
  const char* wanted;
};

std::vector<Range> ranges() {
  std::vector<Range> all = {
      {"drag_coefficient", [](P& p) -> float& { return p.drag_coefficient; }, 0, 1, "want 0 to 1"},
      {"lift_coefficient", [](P& p) -> float& { return p.lift_coefficient; }, 0, 1, "want 0 to 1"},
      {"fluid_density", [](P& p) -> float& { return p.fluid_density; }, 0, 1e6f, "want 0 to 1e+06"},
      {"sleep_threshold", [](P& p) -> float& { return p.sleep_threshold; }, 0, 1e6f, "want 0 to 1e+06"},
      {"contact_margin", [](P& p) -> float& { return p.contact_margin; }, 0, 1e6f, "want 0 to 1e+06"},
      {"collision_mass_scale", [](P& p) -> float& { return p.collision_mass_scale; }, 0, 1e12f, "want 0 to 1e+12"}};
  const std::pair<const char*, float(P::*)[3]> vectors[] = {{"linear_drag", &P::linear_drag},
                                                            {"angular_drag", &P::angular_drag},
                                                            {"linear_inertia", &P::linear_inertia},
                                                            {"angular_inertia", &P::angular_inertia},
                                                            {"centrifugal_inertia", &P::centrifugal_inertia},
                                                            {"wind_velocity", &P::wind_velocity}};
  for (const auto& vector : vectors) {
    const bool wind = vector.second == &P::wind_velocity;
    for (size_t axis = 0; axis < 3; ++axis) {
      all.push_back({vector.first, [=](P& p) -> float& { return (p.*vector.second)[axis]; }, wind ? -1e6f : 0.0f,
                     wind ? 1e6f : 1.0f, wind ? "want -1e+06 to 1e+06" : "want 0 to 1"});
    }
  }
  return all;
}

std::string printed(float value) {
  char text[32];
  std::snprintf(text, sizeof(text), "is %g", static_cast<double>(value));
  return text;
}

// Passes the parameters in each of the possible ways.
void expect_parameters_refused(Scene& scene, const P& bad, std::initializer_list<const char*> parts) {
  const clothc_result wanted = CLOTHC_ERROR_INVALID_ARGUMENT;
  const P before = scene.parameters(scene.cloth);
  expect_failure(wanted, clothc_cloth_set_parameters(scene.solver, scene.cloth, &bad), parts, "set_parameters");
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.parameters = &bad;
  clothc_cloth_id id = 0;
  expect_failure(wanted, clothc_cloth_add(scene.solver, &desc, &id), parts, "cloth_add");
  EXPECT_EQ(id, 0u);
  const clothc_buffer record = scene.buffer(1, CLOTHC_FORMAT_RECORD, sizeof(P));
  EXPECT_OK(clothc_buffer_write(record, 0, sizeof(P), &bad));
  const clothc_region region{0, 0, 1};
  expect_failure(wanted,
                 clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, record, nullptr, &region, 1, 0),
                 parts, "solver_set");
  EXPECT_OK(clothc_buffer_destroy(record));
  const P after = scene.parameters(scene.cloth);
  EXPECT_EQ(std::memcmp(&after, &before, sizeof(P)), 0);
}

TEST_P(StageArguments, parameters_out_of_range_are_refused_and_the_ends_of_ranges_taken) {
  Scene scene(GetParam());
  scene.step();
  const P good = scene.parameters(scene.cloth);
  const uint64_t hash = scene.hash();
  for (const Range& range : ranges()) {
    for (const float value : outside(range.low, range.high)) {
      P bad = good;
      range.field(bad) = value;
      expect_parameters_refused(scene, bad, {range.name, printed(value).c_str(), range.wanted});
    }
  }
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_EQ(scene.info().cloth_count, 1u);
  for (const Range& range : ranges()) {
    for (const float value : {range.low, range.high}) {
      P p = good;
      p.drag_coefficient = 0.5f;
      range.field(p) = value;
      EXPECT_OK(clothc_cloth_set_parameters(scene.solver, scene.cloth, &p)) << range.name;
      scene.step(1, 1e-3f);
    }
  }
}

TEST_P(StageArguments, counts_policies_and_flags_out_of_range_are_refused_and_the_ends_of_ranges_taken) {
  Scene scene(GetParam());
  const P good = scene.parameters(scene.cloth);
  const uint64_t hash = scene.hash();
  const struct {
    const char* name;
    uint32_t P::*field;
    std::vector<uint32_t> bad, taken;
    const char* wanted;
  } cases[] = {
      {"sleep_test_interval", &P::sleep_test_interval, {0, 1000001, 0xffffffffu}, {1, 1000000}, "want 1 to 1000000 ms"},
      {"sleep_after_count",
       &P::sleep_after_count,
       {0, 0x80000001u, 0xffffffffu},
       {1, 0x80000000u},
       "want 1 to 2147483648 tests"},
      {"sleep_policy", &P::sleep_policy, {2, 0xffffffffu}, {0, 1}, "want one of CLOTHC_SLEEP_"}};
  for (const auto& c : cases) {
    for (const uint32_t value : c.bad) {
      P bad = good;
      bad.*c.field = value;
      expect_parameters_refused(scene, bad, {c.name, ("is " + std::to_string(value)).c_str(), c.wanted});
    }
  }
  P bad = good;
  bad.statistics = 9;
  expect_parameters_refused(scene, bad, {"statistics is 0x9", "want CLOTHC_STATISTIC_"});
  bad = good;
  bad.collision_flags = 10;
  expect_parameters_refused(scene, bad, {"collision_flags is 0xa", "want CLOTHC_COLLISION_"});
  EXPECT_EQ(scene.hash(), hash);
  for (const auto& c : cases) {
    for (const uint32_t value : c.taken) {
      P p = good;
      p.*c.field = value;
      EXPECT_OK(clothc_cloth_set_parameters(scene.solver, scene.cloth, &p)) << c.name << " " << value;
    }
  }
}

// Passes the frame in both possible ways.
void expect_frame_refused(Scene& scene, const F& bad, std::initializer_list<const char*> parts) {
  const clothc_result wanted = CLOTHC_ERROR_INVALID_ARGUMENT;
  expect_failure(wanted, clothc_cloth_set_frame(scene.solver, scene.cloth, &bad), parts, "set_frame");
  const clothc_buffer record = scene.buffer(1, CLOTHC_FORMAT_RECORD, sizeof(F));
  EXPECT_OK(clothc_buffer_write(record, 0, sizeof(F), &bad));
  expect_failure(wanted, clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CLOTH_FRAME, record, nullptr, nullptr, 0, 0),
                 parts, "solver_set");
  EXPECT_OK(clothc_buffer_destroy(record));
}

TEST_P(StageArguments, frames_out_of_range_are_refused_and_starts_checked_only_if_they_count) {
  Scene scene(GetParam());
  scene.step();
  const F before = scene.frame(scene.cloth), good = initialised<F>();
  const uint64_t hash = scene.hash();
  for (const uint32_t flags : {0x20u, 0x80000001u}) {
    F bad = good;
    bad.flags = flags;
    expect_frame_refused(scene, bad, {flags == 0x20 ? "flags is 0x20" : "flags is 0x80000001", "CLOTHC_FRAME_"});
  }
  const struct {
    float (F::*translation)[3];
    float (F::*rotation)[4];
    uint32_t flags;
    const char *translation_name, *rotation_name;
  } poses[] = {{&F::translation, &F::rotation, 0, "cloth_frame.translation", "cloth_frame.rotation"},
               {&F::start_translation, &F::start_rotation, CLOTHC_FRAME_START, "start_translation", "start_rotation"}};
  for (const auto& pose : poses) {
    F bad = good;
    bad.flags = pose.flags;
    for (size_t axis = 0; axis < 3; ++axis) {
      for (const float value : outside(-1e9f, 1e9f)) {
        (bad.*pose.translation)[axis] = value;
        expect_frame_refused(scene, bad, {pose.translation_name, "want -1e+09 to 1e+09"});
      }
      (bad.*pose.translation)[axis] = 0;
    }
    for (const float value : {not_a_number, infinity, 0.0f, 0.9f, -0.998f, 1.002f, 1e30f}) {
      (bad.*pose.rotation)[3] = value;
      expect_frame_refused(scene, bad, {pose.rotation_name, printed(value).c_str() + 3, "length 1 within 1e-3"});
    }
    (bad.*pose.rotation)[3] = 1;
    (bad.*pose.rotation)[1] = not_a_number;
    expect_frame_refused(scene, bad, {pose.rotation_name, "nan"});
  }
  const F after = scene.frame(scene.cloth);
  EXPECT_EQ(std::memcmp(&before, &after, sizeof(F)), 0);
  EXPECT_EQ(scene.hash(), hash);
  F ignored = good;
  ignored.start_translation[1] = not_a_number;
  ignored.start_rotation[3] = 0;
  EXPECT_OK(clothc_cloth_set_frame(scene.solver, scene.cloth, &ignored));
  EXPECT_EQ(scene.hash(), hash) << "a start without START counted";
  F far = good;
  far.flags = CLOTHC_FRAME_START;
  for (const float end : {-1e9f, 1e9f}) {
    far.translation[0] = far.start_translation[0] = end;
    far.rotation[3] = far.start_rotation[3] = 1.0009f;
    EXPECT_OK(clothc_cloth_set_frame(scene.solver, scene.cloth, &far));
    scene.step();
  }
}

TEST_P(StageArguments, frames_and_resets_refuse_null_stale_and_foreign_handles) {
  Scene scene(GetParam()), other(GetParam());
  const clothc_cloth_id stale = scene.add();
  ASSERT_OK(clothc_cloth_remove(scene.solver, stale));
  const uint64_t hash = scene.hash();
  F frame = initialised<F>();
  frame.translation[0] = 1;
  const F untouched = frame;
  const auto refused = [&](clothc_solver solver, clothc_cloth_id id, const char* part) {
    const clothc_result wanted = CLOTHC_ERROR_INVALID_HANDLE;
    EXPECT_FAILS(wanted, clothc_cloth_set_frame(solver, id, &frame), part);
    EXPECT_FAILS(wanted, clothc_cloth_get_frame(solver, id, &frame), part);
    EXPECT_FAILS(wanted, clothc_cloth_reset(solver, id, nullptr), part);
    EXPECT_EQ(std::memcmp(&frame, &untouched, sizeof(F)), 0) << "an output was written";
  };
  refused(nullptr, scene.cloth, "solver");
  refused(reinterpret_cast<clothc_solver>(scene.fabric), scene.cloth, "solver");
  for (const clothc_cloth_id id : {0u, stale, 0xffffffffu}) refused(scene.solver, id, "cloth id");
  ASSERT_OK(clothc_solver_destroy(other.solver));
  refused(other.solver, other.cloth, "solver");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_set_frame(scene.solver, scene.cloth, nullptr), "null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_get_frame(scene.solver, scene.cloth, nullptr), "null");
  for (const uint32_t size : {0u, 4u, frame.struct_size - 4, frame.struct_size + 4}) {
    frame.struct_size = size;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT, clothc_cloth_set_frame(scene.solver, scene.cloth, &frame),
                 "clothc_cloth_frame.struct_size", std::to_string(size).c_str());
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT, clothc_cloth_get_frame(scene.solver, scene.cloth, &frame),
                 "clothc_cloth_frame.struct_size", std::to_string(size).c_str());
  }
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(StageArguments, a_reset_with_bad_positions_or_without_any_changes_nothing) {
  Scene scene(GetParam());
  scene.step(3);
  const uint64_t hash = scene.hash();
  const std::vector<uint8_t> bytes = scene.snapshot();
  std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  const auto refused = [&](std::initializer_list<const char*> parts) {
    expect_failure(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_reset(scene.solver, scene.cloth, positions.data()),
                   parts, "reset");
  };
  for (size_t axis = 0; axis < 4; ++axis) {
    const float kept = positions[4 * 29 + axis];
    for (const float value : outside(axis == 3 ? 0.0f : -1e9f, 1e9f)) {
      positions[4 * 29 + axis] = value;
      refused({axis == 3 ? "particle 29 has inverse mass" : "particle 29 is at", "want"});
    }
    positions[4 * 29 + axis] = kept;
  }
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_EQ(scene.snapshot(), bytes);
  EXPECT_OK(clothc_cloth_reset(scene.solver, scene.cloth, positions.data()));
  EXPECT_NE(scene.hash(), hash);

  RawFabric raw;
  clothc_fabric_desc fabric_desc = raw.desc();
  fabric_desc.positions = nullptr;
  clothc_cloth_desc desc = scene.cloth_desc();
  ASSERT_OK(clothc_fabric_create(scene.device, &fabric_desc, &desc.fabric));
  desc.positions = raw.positions;
  clothc_cloth_id bare = 0;
  ASSERT_OK(clothc_cloth_add(scene.solver, &desc, &bare));
  scene.step(2);
  const uint64_t with_bare = scene.hash();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_reset(scene.solver, bare, nullptr), "positions is null",
               "no positions");
  EXPECT_EQ(scene.hash(), with_bare);
  EXPECT_OK(clothc_cloth_reset(scene.solver, bare, raw.positions));
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, bare), std::vector<float>(raw.positions, raw.positions + 8));
}

TEST_P(StageArguments, wind_on_a_fabric_without_triangles_is_refused_and_no_record_of_the_call_taken) {
  Scene scene(GetParam());
  RawFabric raw;
  clothc_fabric_desc fabric_desc = raw.desc();
  fabric_desc.triangle_count = 0;
  fabric_desc.triangles = nullptr;
  clothc_cloth_desc desc = scene.cloth_desc();
  ASSERT_OK(clothc_fabric_create(scene.device, &fabric_desc, &desc.fabric));
  clothc_cloth_id bare = 0;
  ASSERT_OK(clothc_cloth_add(scene.solver, &desc, &bare));
  const uint64_t hash = scene.hash();
  for (float P::*coefficient : {&P::drag_coefficient, &P::lift_coefficient}) {
    P windy = initialised<P>();
    windy.*coefficient = 0.25f;
    const auto refused = [&](clothc_result got, const char* call) {
      expect_failure(CLOTHC_ERROR_INVALID_ARGUMENT, got, {"drag_coefficient is", "0.25", "no triangles"}, call);
    };
    refused(clothc_cloth_set_parameters(scene.solver, bare, &windy), "set_parameters");
    desc.parameters = &windy;
    clothc_cloth_id id = 0;
    refused(clothc_cloth_add(scene.solver, &desc, &id), "cloth_add");
    // The other cloth, which has triangles, comes first.
    const P both[2] = {windy, windy};
    const clothc_buffer records = scene.buffer(2, CLOTHC_FORMAT_RECORD, sizeof(P));
    ASSERT_OK(clothc_buffer_write(records, 0, sizeof(both), both));
    refused(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, records, nullptr, nullptr, 0, 0), "set");
    EXPECT_EQ(scene.parameters(scene.cloth).*coefficient, 0);
    EXPECT_EQ(scene.parameters(bare).*coefficient, 0);
  }
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_EQ(scene.info().cloth_count, 2u);
  P still = initialised<P>();
  // Without coefficients the wind has no effect.
  still.wind_velocity[0] = 5;
  EXPECT_OK(clothc_cloth_set_parameters(scene.solver, bare, &still));
}

TEST_P(StageArguments, frame_records_are_taken_all_or_none) {
  Scene scene(GetParam());
  const clothc_cloth_id second_cloth = scene.add();
  const uint64_t hash = scene.hash();
  F frames[2] = {initialised<F>(), initialised<F>()};
  frames[0].translation[0] = 1;
  frames[1].rotation[3] = 0.5f;
  const clothc_buffer records = scene.buffer(2, CLOTHC_FORMAT_RECORD, sizeof(F));
  ASSERT_OK(clothc_buffer_write(records, 0, sizeof(frames), frames));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CLOTH_FRAME, records, nullptr, nullptr, 0, 0),
               "cloth_frame.rotation");
  frames[1].rotation[3] = 1;
  frames[1].struct_size = 12;
  ASSERT_OK(clothc_buffer_write(records, 0, sizeof(frames), frames));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT,
               clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CLOTH_FRAME, records, nullptr, nullptr, 0, 0),
               "struct_size is 12");
  EXPECT_EQ(scene.frame(scene.cloth).translation[0], 0);
  EXPECT_EQ(scene.frame(second_cloth).translation[0], 0);
  EXPECT_EQ(scene.hash(), hash);
}

}  // namespace
}  // namespace stage_arguments_test
