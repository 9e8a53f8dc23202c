// lines_test.cpp - the call that draws debug lines: its arguments, the length of the caller's array, contacts, that it
// changes nothing, and that it gives the same bits on all devices.
#include "support/debug_lines.h"
#include "support/everything.h"
#include "support/refusals.h"

using namespace clothc_test;

namespace debug_lines_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(DebugLines);

constexpr uint32_t all_flags = (1u << 11) - 1;

TEST_P(DebugLines, fill_the_array_as_far_as_it_goes) {
  Scene scene(GetParam());
  const clothc_debug_desc desc = debug_desc(CLOTHC_DEBUG_PARTICLES);
  const std::vector<clothc_debug_line> all = debug_lines(scene.solver, desc);
  ASSERT_EQ(all.size(), 90u);
  std::vector<clothc_debug_line> some(12);
  std::memset(some.data(), 0x5a, some.size() * sizeof(some[0]));
  const std::vector<clothc_debug_line> untouched = some;
  uint32_t count = 10;
  EXPECT_EQ(clothc_solver_get_debug_lines(scene.solver, &desc, some.data(), &count), CLOTHC_INCOMPLETE);
  EXPECT_EQ(count, 90u);
  EXPECT_EQ(std::memcmp(some.data(), all.data(), 10 * sizeof(some[0])), 0);
  EXPECT_EQ(std::memcmp(&some[10], &untouched[10], 2 * sizeof(some[0])), 0);
  some.resize(100);
  count = 100;
  EXPECT_OK(clothc_solver_get_debug_lines(scene.solver, &desc, some.data(), &count));
  EXPECT_EQ(count, 90u);
  some.resize(90);
  EXPECT_TRUE(are_same(some, all));
}

TEST_P(DebugLines, of_a_solver_without_cloths_are_none) {
  SceneOptions options(GetParam());
  options.has_cloth = false;
  const Scene scene(options);
  EXPECT_EQ(debug_lines(scene.solver, debug_desc(all_flags)).size(), 0u);
}

TEST_P(DebugLines, are_refused_with_the_value_and_the_remedy) {
  Scene scene(GetParam());
  uint32_t count = 12345;
  const auto refused = [&](clothc_result result, const std::function<void(clothc_debug_desc&)>& change,
                           std::initializer_list<const char*> parts) {
    clothc_debug_desc desc = debug_desc(CLOTHC_DEBUG_PHASES);
    desc.cloth = scene.cloth;
    change(desc);
    expect_failure(result, clothc_solver_get_debug_lines(scene.solver, &desc, nullptr, &count), parts, "debug_lines");
    EXPECT_EQ(count, 12345u);
  };
  using Desc = clothc_debug_desc&;
  const clothc_result invalid = CLOTHC_ERROR_INVALID_ARGUMENT;
  refused(invalid, [](Desc d) { d.flags = 1u << 11; }, {"debug_desc.flags is 0x800", "CLOTHC_DEBUG_..."});
  refused(invalid, [](Desc d) { d.phase = 3; }, {"debug_desc.phase is 3", "below 3"});
  for (const float value : outside(1e-6f, 1e6f))
    refused(invalid, [&](Desc d) { d.full_strain = value; }, {"debug_desc.full_strain is", "1e-6 to 1e6"});
  for (const float value : outside(0, 1e6f)) {
    refused(invalid, [&](Desc d) { d.size = value; }, {"debug_desc.size is", "0 to 1e6 m"});
    refused(invalid, [&](Desc d) { d.velocity_time = value; }, {"debug_desc.velocity_time is", "0 to 1e6 s"});
  }
  refused(CLOTHC_ERROR_INVALID_HANDLE, [](Desc d) { d.cloth = 77; }, {"0x4d"});
  refused(CLOTHC_ERROR_INVALID_STRUCT, [](Desc d) { d.struct_size = 4; }, {"clothc_debug_desc.struct_size is 4"});
  const clothc_debug_desc desc = initialised<clothc_debug_desc>();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_get_debug_lines(scene.solver, nullptr, nullptr, &count),
               "clothc_debug_desc pointer is null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_get_debug_lines(scene.solver, &desc, nullptr, nullptr),
               "count pointer is null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_solver_get_debug_lines(nullptr, &desc, nullptr, &count), "null");
}

TEST_P(DebugLines, are_in_the_order_of_cloths_and_then_of_flags) {
  Scene scene(GetParam());
  const clothc_cloth_id second = scene.add();
  scene.step(2);
  scene.set(CLOTHC_CHANNEL_POSITION, second, std::vector<float>(30 * 4, 1.0f));
  const uint32_t flags[] = {CLOTHC_DEBUG_PHASES,  CLOTHC_DEBUG_TETHERS,    CLOTHC_DEBUG_PARTICLES,
                            CLOTHC_DEBUG_NORMALS, CLOTHC_DEBUG_VELOCITIES, CLOTHC_DEBUG_FRAMES};
  std::vector<clothc_debug_line> expected;
  uint32_t together = 0;
  for (const clothc_cloth_id cloth : {scene.cloth, second}) {
    for (const uint32_t flag : flags) {
      clothc_debug_desc desc = debug_desc(flag);
      desc.cloth = cloth;
      const std::vector<clothc_debug_line> lines = debug_lines(scene.solver, desc);
      expected.insert(expected.end(), lines.begin(), lines.end());
      together |= flag;
    }
  }
  EXPECT_TRUE(are_same(debug_lines(scene.solver, debug_desc(together)), expected));
}

TEST_P(DebugLines, change_neither_the_state_nor_what_comes_of_it) {
  Everything drawn(GetParam()), plain(GetParam(), &drawn);
  for (int frame = 4; frame < 8; ++frame) {
    const uint64_t before = drawn.hash();
    EXPECT_GT(debug_lines(drawn.solver, debug_desc(all_flags)).size(), 500u);
    EXPECT_EQ(drawn.hash(), before);
    EXPECT_EQ(before, plain.hash()) << "frame " << frame;
    for (Everything* scene : {&drawn, &plain}) scene->step();
    // Once before what has changed is uploaded for the hash or an update.
    for (Everything* scene : {&drawn, &plain}) scene->prepare(frame);
    EXPECT_GT(debug_lines(drawn.solver, debug_desc(all_flags)).size(), 500u);
  }
}

TEST_P(DebugLines, have_the_same_bits_on_every_device) {
  Everything scene(GetParam()), processor(CLOTHC_BACKEND_CPU);
  const std::vector<clothc_debug_line> lines = debug_lines(scene.solver, debug_desc(all_flags));
  EXPECT_GT(lines.size(), 500u);
  EXPECT_TRUE(are_same(lines, debug_lines(processor.solver, debug_desc(all_flags))));
}

TEST_P(DebugLines, of_contacts_are_at_their_points_along_their_normals) {
  SceneOptions options(GetParam());
  options.solver.contact_capacity = 20;
  Scene scene(options);
  const clothc_cloth_id second = scene.add();
  const auto draw = [&](clothc_cloth_id cloth) {
    clothc_debug_desc desc = debug_desc(CLOTHC_DEBUG_CONTACTS, 0.5f);
    desc.cloth = cloth;
    return debug_lines(scene.solver, desc);
  };
  EXPECT_EQ(draw(0).size(), 0u) << "before the first update";
  Shapes shapes;
  shapes.spheres = {0.6f, 0, 0.5f, 1};
  list(scene, {make_set(scene, shapes)});
  scene.change_parameters(scene.cloth,
                          [](clothc_cloth_parameters& p) { p.collision_flags |= CLOTHC_COLLISION_REPORT; });
  scene.step(10);
  std::vector<clothc_contact> contacts(20);
  const clothc_buffer out = scene.buffer(20, CLOTHC_FORMAT_RECORD, sizeof(clothc_contact));
  ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CONTACT, out, nullptr, nullptr, 0, 0));
  ASSERT_OK(clothc_buffer_read(out, 0, contacts.size() * sizeof(clothc_contact), contacts.data()));
  ASSERT_OK(clothc_buffer_destroy(out));
  contacts.erase(std::remove_if(contacts.begin(), contacts.end(), [](const auto& c) { return c.cloth == 0; }),
                 contacts.end());
  ASSERT_GT(contacts.size(), 3u);
  const std::vector<clothc_debug_line> lines = draw(0);
  ASSERT_EQ(lines.size(), 4 * contacts.size()) << "a cross and a normal each";
  for (size_t k = 0; k < lines.size(); ++k) {
    const clothc_contact& contact = contacts[k / 4];
    EXPECT_EQ(colour_of(lines[k].first_colour), (Colour{255, 255, 0, 255}));
    if (k % 4 == 3) {
      EXPECT_EQ(from(lines[k]), vector_at(contact.point));
      EXPECT_NEAR(length(to(lines[k]) - from(lines[k]) - 0.5 * vector_at(contact.normal)), 0, 1e-6);
    } else {
      EXPECT_NEAR(length(0.5 * (from(lines[k]) + to(lines[k])) - vector_at(contact.point)), 0, 1e-7);
      EXPECT_NEAR(length(lines[k]), 0.25, 1e-6);
    }
  }
  EXPECT_TRUE(are_same(draw(scene.cloth), lines));
  EXPECT_EQ(draw(second).size(), 0u);
}

TEST_P(DebugLines, show_at_most_as_many_contacts_as_the_solver_has_a_capacity_for) {
  for (const uint32_t capacity : {0u, 2u}) {
    SceneOptions options(GetParam());
    options.solver.contact_capacity = capacity;
    Scene scene(options);
    list(scene, {scene.sphere_set(0.6f, 0, 0.5f, 1)});
    scene.change_parameters(scene.cloth,
                            [](clothc_cloth_parameters& p) { p.collision_flags |= CLOTHC_COLLISION_REPORT; });
    scene.step(10);
    EXPECT_EQ(debug_lines(scene.solver, debug_desc(CLOTHC_DEBUG_CONTACTS)).size(), 4 * capacity);
  }
}

}  // namespace
}  // namespace debug_lines_test
