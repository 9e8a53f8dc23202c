// compiled_code.cpp - the format of saved code: the magic, a header of words, the text that names the device and its
// driver, the verdict of a verification in words, and the driver's bytes, each filled with zeros to whole words. All
// numbers are little-endian. Drivers need not notice damage in their bytes, so a checksum finds it.
#include "core/objects/compiled_code.h"

#include <cstring>
#include <string>

#include "core/base/byte_stream.h"

namespace clothc {
namespace {

using ull = unsigned long long;

constexpr char magic[] = "CLOTHPSO";
constexpr uint64_t magic_size = sizeof(magic) - 1;
constexpr uint32_t format_version = 2;
// The magic, the version of the format, that of the library, the sizes of text and bytes, the checksum, the verdict and
// the size of its message.
constexpr uint64_t header_size = magic_size + 2 * 4 + 2 * 8 + 8 + 2 * 4;
// Where the checksum lies, which covers all other bytes.
constexpr uint64_t checksum_offset = magic_size + 2 * 4 + 2 * 8;

constexpr uint64_t whole_words(uint64_t size) { return (size + 3) / 4 * 4; }

uint64_t checksum_without_field(const uint8_t* bytes, uint64_t size) {
  constexpr uint64_t behind = checksum_offset + 8;
  return checksum_of(bytes, checksum_offset) ^ checksum_of(bytes + behind, size - behind);
}

std::string version_text(uint32_t version) {
  return std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 0xff) + "." +
         std::to_string(version & 0xff);
}

}  // namespace

std::vector<uint8_t> save_compiled_code(const Device& device) {
  const std::string identity = device.backend().compiler_identity();
  const Verification::Verdict measured = device.verification().measured();
  const std::vector<uint8_t> code = device.backend().compiled_code();
  std::vector<uint8_t> bytes(magic, magic + magic_size);
  ByteWriter writer(bytes);
  writer.put_u32(format_version);
  writer.put_u32(clothc_version());
  writer.put_u64(identity.size());
  writer.put_u64(code.size());
  writer.put_u64(0);
  writer.put_u32(measured.verdict);
  writer.put_u32(static_cast<uint32_t>(measured.message.size()));
  const auto append = [&](const auto& part) {
    bytes.insert(bytes.end(), part.begin(), part.end());
    bytes.resize(whole_words(bytes.size()));
  };
  append(identity);
  append(measured.message);
  append(code);
  const uint64_t sum = checksum_without_field(bytes.data(), bytes.size());
  store_u32(&bytes[checksum_offset], static_cast<uint32_t>(sum));
  store_u32(&bytes[checksum_offset + 4], static_cast<uint32_t>(sum >> 32));
  return bytes;
}

void load_compiled_code(Device& device, const uint8_t* data, uint64_t size) {
  Backend& backend = device.backend();
  CLOTHC_REQUIRE(size >= header_size && std::memcmp(data, magic, magic_size) == 0,
                 "the data is not a cache of clothc_device_save_cache: it does not begin with %s; it is ignored",
                 magic);
  ByteReader reader(data + magic_size, header_size - magic_size);
  const uint32_t version = reader.u32(), library = reader.u32();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, version == format_version && library == clothc_version(),
                    "the cache was saved by clothc %s in format %u; this is %s with format %u: the cache is ignored, "
                    "save another one",
                    version_text(library).c_str(), version, version_text(clothc_version()).c_str(), format_version);
  const uint64_t identity_size = reader.u64(), code_size = reader.u64(), sum = reader.u64();
  Verification::Verdict measured;
  measured.verdict = reader.u32();
  const uint64_t message_size = reader.u32();
  const uint64_t contents = size - header_size;
  const uint64_t texts = whole_words(identity_size) + whole_words(message_size);
  CLOTHC_REQUIRE(identity_size <= contents && code_size <= contents && texts + whole_words(code_size) == contents,
                 "the cache has %llu bytes, but %llu when it was saved; it was cut or joined, and is ignored",
                 static_cast<ull>(size), static_cast<ull>(header_size + texts + whole_words(code_size)));
  CLOTHC_REQUIRE(sum == checksum_without_field(data, size),
                 "the cache is damaged: its checksum differs; it is ignored, save another one");
  const auto* identity_begin = reinterpret_cast<const char*>(data + header_size);
  const std::string saved(identity_begin, identity_begin + identity_size), present = backend.compiler_identity();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, saved == present,
                    "the cache was saved on \"%s\"; this device is \"%s\": the cache is ignored, save another one",
                    saved.c_str(), present.c_str());
  const char* message = identity_begin + whole_words(identity_size);
  measured.message.assign(message, message_size);
  if (code_size > 0) backend.add_compiled_code(data + header_size + texts, code_size);
  device.verification().take(measured);
}

}  // namespace clothc
