// native_images.cpp - see native_images.h.
// Sources: Tool Interface Standard, Executable and Linking Format Specification 1.2; LLVM, BinaryFormat/ELF.h
// (EM_CUDA, EF_CUDA_SM and ELFABIVERSION_CUDA_V2).
#include "cuda/device/driver/native_images.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace clothc::cuda_device {
namespace {

using Bytes = std::vector<unsigned char>;

// The first bytes of a little-endian ELF file of 64 bits.
constexpr unsigned char first_bytes[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
constexpr size_t abi_version_at = 8, machine_at = 18, flags_at = 48;
constexpr uint32_t machine_of_cuda = 190;
// From this version on, the architecture is in the second byte of the flags, before in the first.
constexpr unsigned char second_abi_version = 8;

uint32_t read_little_endian(const unsigned char* bytes, size_t size) {
  uint32_t value = 0;
  for (size_t k = size; k-- > 0;) value = value << 8 | bytes[k];
  return value;
}

// Returns the number in sm_NUMBER.
int architecture_of(const unsigned char* image) {
  for (size_t k = 0; k < sizeof(first_bytes); ++k) {
    if (image[k] != first_bytes[k]) throw Failure(CUDA_ERROR_INVALID_IMAGE, "the image is no ELF file of 64 bits");
  }
  if (read_little_endian(image + machine_at, 2) != machine_of_cuda)
    throw Failure(CUDA_ERROR_INVALID_IMAGE, "the image is for another kind of machine");
  const bool is_second = image[abi_version_at] >= second_abi_version;
  return static_cast<int>(read_little_endian(image + flags_at, 4) >> (is_second ? 8 : 0) & 0xff);
}

void require_suited(int architecture, CUdevice device) {
  const int major = attribute_of(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  const int minor = attribute_of(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  if (architecture / 10 != major || architecture % 10 > minor)
    throw Failure(CUDA_ERROR_NO_BINARY_FOR_GPU, "the image is for another architecture");
}

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

// Maps the paths of the images of an architecture in a folder to their bytes. They are read once.
const std::map<std::filesystem::path, Bytes>& images_of(const std::string& folder, int architecture) {
  static auto* const known = new std::map<std::pair<std::string, int>, std::map<std::filesystem::path, Bytes>>;
  const auto [entry, is_new] = known->try_emplace({folder, architecture});
  if (!is_new) return entry->second;
  const std::string extension = ".sm_" + std::to_string(architecture);
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
    const std::filesystem::path& path = file.path();
    if (path.extension() == ".cubin" && path.stem().extension() == extension) entry->second[path] = read_file(path);
  }
  return entry->second;
}

// Not memcmp, which may read bytes beyond the first difference.
bool begins_with(const unsigned char* image, const Bytes& bytes) {
  size_t same = 0;
  while (same < bytes.size() && image[same] == bytes[same]) ++same;
  return same == bytes.size() && same > 0;
}

}  // namespace

bool is_elf(const void* image) {
  const auto* bytes = static_cast<const unsigned char*>(image);
  return bytes[0] == first_bytes[0] && bytes[1] == first_bytes[1] && bytes[2] == first_bytes[2] &&
         bytes[3] == first_bytes[3];
}

std::string text_of_native_image(const void* image, CUdevice device) {
  State& all = state();
  const auto* bytes = static_cast<const unsigned char*>(image);
  const int architecture = architecture_of(bytes);
  ++all.counts.native_images;
  all.counts.last_native_architecture = static_cast<uint64_t>(architecture);
  require_suited(architecture, device);
  if (all.rules.native_folder.empty()) {
    throw Failure(CUDA_ERROR_NO_BINARY_FOR_GPU, "the device runs no native code");
  }
  for (const auto& [path, known] : images_of(all.rules.native_folder, architecture)) {
    if (!begins_with(bytes, known)) continue;
    ++all.counts.native_modules;
    const Bytes text = read_file(path.parent_path() / path.stem().stem().concat(".ptx"));
    return std::string(text.begin(), text.end());
  }
  throw Failure(CUDA_ERROR_INVALID_IMAGE, "the image is damaged");
}

}  // namespace clothc::cuda_device
