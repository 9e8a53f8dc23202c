// blob_test.cpp - fabrics as blobs: a loaded fabric equals the saved one, and anything that is not a complete blob is
// refused.
#include <algorithm>

#include "support/blob_scene.h"

using namespace clothc_test;

namespace blob_test {
namespace {

// The same sheet with texture coordinates and separate vertices for every face.
struct TexturedScene : BlobScene {
  TexturedScene() {
    std::vector<float> positions, texture_coordinates;
    std::vector<uint32_t> quads;
    for (const uint32_t corner : sheet.quads) {
      const float* p = &sheet.positions[corner * size_t{3}];
      positions.insert(positions.end(), p, p + 3);
      texture_coordinates.insert(texture_coordinates.end(), {p[0], p[2] + static_cast<float>(quads.size() / 4)});
      quads.push_back(static_cast<uint32_t>(quads.size()));
    }
    clothc_mesh_desc mesh = initialised<clothc_mesh_desc>();
    mesh.vertex_count = quads.size();
    mesh.positions = positions.data();
    mesh.quads = quads.data();
    mesh.quad_count = quads.size() / 4;
    mesh.texture_coordinates = texture_coordinates.data();
    mesh.flags = CLOTHC_COOK_NO_HIERARCHY;
    replace_fabric(mesh);
    blob = save(fabric);
  }
};

TEST(FabricBlob, holds_every_array_and_number_of_the_fabric) {
  expect_same_after_loading(BlobScene());
  expect_same_after_loading(TexturedScene());
}

// The format of blobs of fabrics without texture coordinates has not changed since the first version.
TEST(FabricBlob, says_whether_lengths_are_exact) {
  const BlobScene scene;
  constexpr size_t flags = 56, last_word = 60;
  EXPECT_EQ(scene.blob[flags], 1) << "those of cooked fabrics are";
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, scene.load_forged(flags, 0), "content hash");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, scene.load_forged(flags, 3), "flags 0x3", "update");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, scene.load_forged(last_word, 7), "last word of 7");
  const uint32_t set = 0, end = 1, pair[2] = {0, 1};
  const float rest = 1;
  clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
  desc.particle_count = 2;
  desc.phase_count = desc.set_count = 1;
  desc.phase_sets = &set;
  desc.set_ends = &end;
  desc.constraint_count = 1;
  desc.indices = pair;
  desc.rest_lengths = &rest;
  uint64_t hashes[2];
  for (const uint32_t exact : {0u, 1u}) {
    desc.flags = exact * uint32_t{CLOTHC_FABRIC_EXACT_LENGTHS};
    clothc_fabric made = nullptr, loaded = nullptr;
    ASSERT_OK(clothc_fabric_create(scene.device, &desc, &made));
    const std::vector<uint8_t> bytes = BlobScene::save(made);
    EXPECT_EQ(bytes[flags], exact);
    ASSERT_OK(scene.load(bytes, &loaded));
    hashes[exact] = fabric_info(loaded).content_hash;
    EXPECT_EQ(BlobScene::save(loaded), bytes);
  }
  EXPECT_NE(hashes[0], hashes[1]);
}

TEST(FabricBlob, has_two_sections_more_with_texture_coordinates) {
  BlobScene plain;
  TexturedScene textured;
  EXPECT_EQ(BlobScene::section_count(plain.blob), 15u);
  uint64_t checksum;
  std::memcpy(&checksum, &plain.blob[24], 8);
  EXPECT_EQ(plain.blob.size(), 3648u);
  EXPECT_EQ(checksum, 12272486017365947602u) << "of all bytes, as the first version with halves of rings wrote them";
  EXPECT_EQ(BlobScene::section_count(textured.blob), 17u);
  for (const uint32_t count : {0u, 14u, 16u, 18u, 0xffffffffu}) {
    std::vector<uint8_t> bytes = textured.blob;
    std::memcpy(&bytes[52], &count, 4);
    mend_checksum(bytes);
    clothc_fabric loaded = nullptr;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, textured.load(bytes, &loaded), "sections");
  }
  // Without its last two sections the blob describes a fabric without texture coordinates.
  std::vector<uint8_t> bytes = textured.blob;
  bytes[52] = 15;
  mend_checksum(bytes);
  clothc_fabric loaded = nullptr;
  ASSERT_OK(textured.load(bytes, &loaded));
  EXPECT_EQ(BlobScene::section_count(BlobScene::save(loaded)), 15u);
}

TEST(FabricBlob, gives_the_same_tangents_as_the_fabric_it_was_saved_from) {
  TexturedScene saved, loaded;
  ASSERT_OK(clothc_fabric_destroy(loaded.fabric));
  ASSERT_OK(loaded.load(saved.blob, &loaded.fabric));
  EXPECT_EQ(saved.get(CLOTHC_CHANNEL_TANGENT, saved.add()), loaded.get(CLOTHC_CHANNEL_TANGENT, loaded.add()));
}

// The texture arrays do not fit the rest of the blob, and the checksum is correct.
TEST(FabricBlob, with_forged_texture_arrays_is_refused) {
  TexturedScene scene;
  const auto load_with = [&](size_t at, uint32_t word) { return scene.load_forged(at, word); };
  const size_t vertices = scene.section(16), coordinates = scene.section(17);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load_with(vertices, 80), "triangle_vertices[0] is 80", "vertex_count 80");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load_with(vertices + 20, 0xffffffffu), "triangle_vertices[5]");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load_with(vertices, 60), "triangle_vertices[0] is 60", "of particle");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load_with(coordinates + 4, 0x7fc00000u), "texture_coordinates[1]");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load_with(coordinates, 0x7f800000u), "texture_coordinates[0]");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load_with(coordinates, 0x4e800000u), "texture_coordinates[0]", "1e+09");
  // Position of the number of words of section 16 in the section table.
  const size_t table = 64 + 15 * 16 + 8;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load_with(table, 117), "triangle_vertices has 117", "want 120");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load_with(table, 0), "triangle_vertices has 0");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load_with(table + 16, 0), "texture_coordinates has 0", "want 160");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load_with(table + 16, 158), "texture_coordinates has 158");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load_with(table - 8, 15), "section 16");
}

TEST(FabricBlob, simulates_like_the_fabric_it_was_saved_from) {
  BlobScene scene;
  uint64_t hashes[2];
  for (uint64_t& hash : hashes) {
    BlobScene other;
    if (&hash == hashes) {
      ASSERT_OK(clothc_fabric_destroy(other.fabric));
      ASSERT_OK(other.load(scene.blob, &other.fabric));
    }
    other.add();
    other.step(10);
    hash = other.hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(FabricBlob, keeps_the_order_and_the_diagnostics_of_a_shuffled_and_bad_mesh) {
  BlobScene scene;
  Sheet sheet(40, 30);
  std::vector<uint32_t> triangles = {7, 7, 9, 1, 2, 2};
  for (size_t k = 0; k < sheet.quads.size(); ++k) sheet.quads[k] = (sheet.quads[k] * 7u) % 1200u;
  const Sheet plain(40, 30);
  for (size_t v = 0; v < 1200; ++v) {
    std::copy_n(&plain.positions[v * 3], 3, &sheet.positions[(v * 7 % 1200) * 3]);
    sheet.inverse_masses[v * 7 % 1200] = plain.inverse_masses[v];
  }
  clothc_mesh_desc mesh = sheet.desc();
  mesh.triangles = triangles.data();
  mesh.triangle_count = 2;
  clothc_fabric fabric = nullptr, loaded = nullptr;
  ASSERT_OK(clothc_fabric_cook(scene.device, &mesh, &fabric));
  clothc_fabric_info info = initialised<clothc_fabric_info>();
  ASSERT_OK(clothc_fabric_get_info(fabric, &info));
  EXPECT_EQ(info.reordered, 1u);
  ASSERT_GE(info.diagnostic_count, 2u);
  const std::vector<uint8_t> blob = BlobScene::save(fabric);
  ASSERT_OK(scene.load(blob, &loaded));
  EXPECT_EQ(BlobScene::save(loaded), blob);
  for (uint32_t k = 0; k < info.diagnostic_count; ++k) {
    clothc_diagnostic a = initialised<clothc_diagnostic>(), b = initialised<clothc_diagnostic>();
    ASSERT_OK(clothc_fabric_get_diagnostic(fabric, k, &a));
    ASSERT_OK(clothc_fabric_get_diagnostic(loaded, k, &b));
    EXPECT_STREQ(a.message, b.message);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.count, b.count);
  }
}

TEST(FabricBlob, has_aligned_sections_and_loads_from_any_address) {
  BlobScene scene;
  EXPECT_EQ(scene.blob.size() % 64, 0u);
  EXPECT_EQ(std::string(scene.blob.begin(), scene.blob.begin() + 8), "CLOTHFAB");
  for (size_t shift : {1u, 2u, 3u, 5u}) {
    std::vector<uint8_t> moved(scene.blob.size() + shift);
    std::copy(scene.blob.begin(), scene.blob.end(), moved.begin() + static_cast<std::ptrdiff_t>(shift));
    clothc_fabric loaded = nullptr;
    EXPECT_OK(clothc_fabric_load(scene.device, moved.data() + shift, scene.blob.size(), &loaded));
  }
}

TEST(FabricBlob, says_how_many_bytes_it_needs) {
  BlobScene scene;
  std::vector<uint8_t> bytes(scene.blob.size(), 0xee);
  uint64_t size = bytes.size() - 1;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_save(scene.fabric, bytes.data(), &size), "size is");
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 0xee), static_cast<std::ptrdiff_t>(bytes.size()));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_save(scene.fabric, bytes.data(), nullptr), "size");
}

TEST(FabricBlob, cut_anywhere_is_refused) {
  BlobScene scene;
  for (size_t size = 0; size < scene.blob.size(); size += size < 400 ? 1 : 61) {
    const std::vector<uint8_t> cut(scene.blob.begin(), scene.blob.begin() + static_cast<std::ptrdiff_t>(size));
    clothc_fabric loaded = reinterpret_cast<clothc_fabric>(uintptr_t{5});
    ASSERT_EQ(clothc_fabric_load(scene.device, cut.data() != nullptr ? cut.data() : scene.blob.data(), size, &loaded),
              CLOTHC_ERROR_INVALID_ARGUMENT)
        << size << " bytes";
    ASSERT_EQ(loaded, reinterpret_cast<clothc_fabric>(uintptr_t{5}));
  }
  std::vector<uint8_t> longer = scene.blob;
  longer.resize(longer.size() + 64);
  clothc_fabric loaded = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, scene.load(longer, &loaded), "cut or joined");
}

TEST(FabricBlob, with_any_bit_flipped_is_refused) {
  BlobScene scene;
  std::vector<uint8_t> bytes = scene.blob;
  for (size_t bit = 0; bit < bytes.size() * 8; bit += bit < 2400 ? 1 : 13) {
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    clothc_fabric loaded = nullptr;
    ASSERT_EQ(scene.load(bytes, &loaded), CLOTHC_ERROR_INVALID_ARGUMENT) << "bit " << bit;
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
  }
}

TEST(FabricBlob, of_another_kind_version_or_byte_order_says_so) {
  BlobScene scene;
  clothc_fabric loaded = nullptr;
  std::vector<uint8_t> bytes = scene.blob;
  bytes[0] = 'X';
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, scene.load(bytes, &loaded), "not a clothc fabric blob");
  bytes = scene.blob;
  bytes[8] = 2;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, scene.load(bytes, &loaded), "version 2", "reads version 1");
  bytes = scene.blob;
  std::reverse(&bytes[12], &bytes[16]);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, scene.load(bytes, &loaded), "byte order");
  const std::vector<uint8_t> snapshot = scene.snapshot();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, scene.load(snapshot, &loaded), "not a clothc fabric blob");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_load(scene.device, nullptr, 10, &loaded), "null");
}

TEST(FabricBlob, forged_is_refused_or_harmless) {
  expect_forgeries_harmless(BlobScene());
  expect_forgeries_harmless(TexturedScene());
}

TEST(FabricBlob, missing_diagnostic_is_an_error) {
  BlobScene scene;
  clothc_diagnostic diagnostic = initialised<clothc_diagnostic>();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_get_diagnostic(scene.fabric, 100000, &diagnostic),
               "100000");
}

}  // namespace
}  // namespace blob_test
