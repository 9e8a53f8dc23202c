// blob_scene.h - a sheet's fabric and its blob, and the properties that must hold for the blobs of all fabrics, whether
// saved or forged.
#pragma once

#include <cstdio>
#include <cstring>
#include <vector>

#include "support/blob_checksum.h"
#include "support/scene.h"

namespace clothc_test {

struct BlobScene : Scene {
  std::vector<uint8_t> blob;

  // Without coarse levels, which other scenes have.
  BlobScene() : Scene(options()) {
    clothc_mesh_desc mesh = sheet.desc();
    mesh.flags = CLOTHC_COOK_NO_HIERARCHY;
    replace_fabric(mesh);
    blob = save(fabric);
  }
  static SceneOptions options() {
    SceneOptions options(CLOTHC_BACKEND_CPU);
    options.has_cloth = false;
    options.solver.particle_capacity = 4096;
    return options;
  }
  static std::vector<uint8_t> save(clothc_fabric fabric) {
    uint64_t size = 0;
    EXPECT_OK(clothc_fabric_save(fabric, nullptr, &size));
    std::vector<uint8_t> bytes(size);
    EXPECT_OK(clothc_fabric_save(fabric, bytes.data(), &size));
    return bytes;
  }
  clothc_result load(const std::vector<uint8_t>& bytes, clothc_fabric* loaded) const {
    return clothc_fabric_load(device, bytes.data(), bytes.size(), loaded);
  }
  // Returns the offset of a section's first byte according to the section table.
  size_t section(uint32_t id) const {
    uint32_t offset;
    std::memcpy(&offset, &blob[64 + (id - 1) * 16 + 4], 4);
    return size_t{offset} * 64;
  }
  static uint32_t section_count(const std::vector<uint8_t>& bytes) {
    uint32_t count;
    std::memcpy(&count, &bytes[52], 4);
    return count;
  }
  // Loads the blob with the word at byte `at` replaced and the checksum corrected.
  clothc_result load_forged(size_t at, uint32_t word) const {
    std::vector<uint8_t> bytes = blob;
    std::memcpy(&bytes[at], &word, 4);
    mend_checksum(bytes);
    clothc_fabric loaded = nullptr;
    return load(bytes, &loaded);
  }
};

inline void expect_same_after_loading(const BlobScene& scene) {
  clothc_fabric loaded = nullptr;
  ASSERT_OK(scene.load(scene.blob, &loaded));
  const clothc_fabric_info before = fabric_info(scene.fabric), after = fabric_info(loaded);
  EXPECT_EQ(std::memcmp(&before, &after, sizeof(before)), 0);
  for (clothc_fabric_array array = CLOTHC_FABRIC_VERTEX_MAP; array <= CLOTHC_FABRIC_CONSTRAINT_PARAMETERS; ++array) {
    EXPECT_EQ(read_fabric<uint8_t>(loaded, array), read_fabric<uint8_t>(scene.fabric, array)) << "array " << array;
  }
  EXPECT_EQ(BlobScene::save(loaded), scene.blob);
}

// Simulates tampering: replaces every word of a small blob by harmful values and corrects the checksum. Loading must
// either be refused or give a usable fabric.
inline void expect_forgeries_harmless(const BlobScene& scene) {
  std::vector<uint8_t> bytes = scene.blob;
  uint32_t accepted = 0, refused = 0;
  for (size_t at = 32; at + 4 <= bytes.size(); at += at < 600 ? 4 : 28) {
    for (const uint32_t value : {0u, 1u, 30u, 31u, 0x7fffffffu, 0xffffffffu, 0x7fc00000u, 0x00ffffffu}) {
      uint32_t old;
      std::memcpy(&old, &bytes[at], 4);
      if (old == value) continue;
      std::memcpy(&bytes[at], &value, 4);
      mend_checksum(bytes);
      clothc_fabric loaded = nullptr;
      const clothc_result result = scene.load(bytes, &loaded);
      ASSERT_TRUE(result == CLOTHC_SUCCESS || result == CLOTHC_ERROR_INVALID_ARGUMENT ||
                  result == CLOTHC_ERROR_OUT_OF_MEMORY)
          << "word at " << at << " = " << value;
      ++(result == CLOTHC_SUCCESS ? accepted : refused);
      if (result == CLOTHC_SUCCESS) {
        const uint32_t diagnostic_count = fabric_info(loaded).diagnostic_count;
        for (uint32_t k = 0; k < diagnostic_count; ++k) {
          clothc_diagnostic diagnostic = initialised<clothc_diagnostic>();
          EXPECT_OK(clothc_fabric_get_diagnostic(loaded, k, &diagnostic));
        }
        clothc_cloth_desc desc = scene.cloth_desc();
        desc.fabric = loaded;
        clothc_cloth_id cloth = 0;
        if (clothc_cloth_add(scene.solver, &desc, &cloth) == CLOTHC_SUCCESS) {
          scene.get(CLOTHC_CHANNEL_TANGENT, cloth);
          EXPECT_OK(clothc_cloth_remove(scene.solver, cloth));
        }
        EXPECT_OK(clothc_fabric_destroy(loaded));
      }
      std::memcpy(&bytes[at], &old, 4);
    }
  }
  EXPECT_GT(refused, 100u);
  std::printf("forged blobs: %u refused, %u harmless\n", refused, accepted);
}

}  // namespace clothc_test
