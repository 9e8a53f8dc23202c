// blob.cpp - saves a fabric as bytes and loads it. All numbers are little-endian: a header of 64 bytes (see Header), a
// table of sections (id, offset, number of words), then the sections, each an array of 4-byte words at a multiple of 64
// bytes. Data that lay_out can derive is not stored. A checksum finds damage but not tampering, so every array is
// checked when loaded.
#include <algorithm>

#include "cook/cook.h"
#include "core/base/byte_stream.h"
#include "core/objects/device.h"
#include "core/fabric/fabric.h"
#include "core/fabric/checks.h"

namespace clothc {
namespace {

using ull = unsigned long long;

constexpr char blob_magic[] = "CLOTHFAB";
constexpr uint32_t blob_version = 1;
constexpr uint32_t endian_mark = 0x01020304;
constexpr uint32_t swapped_mark = 0x04030201;
// Alignment of sections in bytes, which is also the size of the magic and the header together.
constexpr uint64_t alignment = 64;
// Words of the header, which follows the 8 bytes of the magic.
constexpr uint64_t header_words = 14;
// First byte that the checksum covers. The fields before it are checked one by one.
constexpr uint64_t checksum_begin = 32;
// Bytes per section in the table of sections.
constexpr uint64_t table_entry_size = 16;

// The words that follow the magic.
struct Header {
  uint32_t version;
  uint32_t endian_mark;

  // Size of the whole blob in bytes.
  uint32_t size_low, size_high;

  // Checksum of all bytes that follow these two words.
  uint32_t checksum_low, checksum_high;

  // FabricLayout::content_hash.
  uint32_t content_low, content_high;

  uint32_t particle_count;
  uint32_t vertex_count;
  uint32_t tethers_per_particle;
  uint32_t section_count;

  // 0 or blob_has_exact_lengths.
  uint32_t flags;

  // Must be 0.
  uint32_t reserved;
};
static_assert(sizeof(Header) == header_words * 4 && 8 + sizeof(Header) == alignment, "the header fills one line");

// A flag of the header. Blobs that were saved before there were flags have 0 here.
constexpr uint32_t blob_has_exact_lengths = 1;

// The fields of the report, in the order in which they are stored, one word each.
constexpr uint32_t CookReport::*report_fields[] = {
    &CookReport::welded_vertex_count,     &CookReport::dropped_triangle_count, &CookReport::first_dropped_triangle,
    &CookReport::non_manifold_edge_count, &CookReport::component_count,        &CookReport::isolated_particle_count,
    &CookReport::first_isolated_particle, &CookReport::pinned_particle_count,  &CookReport::untethered_particle_count,
    &CookReport::merged_triangle_count,
};
constexpr size_t report_field_count = std::size(report_fields);

std::vector<uint32_t> words_of(const CookReport& report) {
  std::vector<uint32_t> words;
  for (const auto field : report_fields) words.push_back(report.*field);
  return words;
}

// Calls visit(id, array) for every array that is stored unchanged in all blobs. id is the number of its section.
template <class Fabric, class Visit>
void visit_arrays(Fabric& fabric, Visit visit) {
  visit(1u, fabric.vertex_map);
  visit(2u, fabric.positions);
  visit(3u, fabric.phase_sets);
  visit(4u, fabric.phase_types);
  visit(5u, fabric.set_ends);
  visit(6u, fabric.indices);
  visit(7u, fabric.rest_lengths);
  visit(8u, fabric.stiffness);
  visit(9u, fabric.tether_anchors);
  visit(10u, fabric.tether_lengths);
  visit(11u, fabric.triangles);
  visit(12u, fabric.storage_order);
}

// Sections that are converted to words: a diagnostic is 4 words, a count of diagnostics is 2 words.
constexpr uint32_t report_section = 13;
constexpr uint32_t diagnostics_section = 14;
constexpr uint32_t diagnostic_counts_section = 15;

// Number of sections in a plain blob, in one with texture coordinates, in one with virtual particles, in one with
// sets of constraints given by type, and in one with coarse levels.
constexpr uint32_t plain_section_count = 15;
constexpr uint32_t textured_section_count = 17;
constexpr uint32_t virtual_section_count = 19;
constexpr uint32_t typed_section_count = 23;
constexpr uint32_t level_section_count = 26;

// Calls visit for the arrays that are stored only if section_count includes them.
template <class Fabric, class Visit>
void visit_optional_arrays(uint32_t section_count, Fabric& fabric, Visit visit) {
  if (section_count >= textured_section_count) {
    visit(16u, fabric.triangle_vertices);
    visit(17u, fabric.texture_coordinates);
  }
  if (section_count >= virtual_section_count) {
    visit(18u, fabric.virtual_particles);
    visit(19u, fabric.virtual_weights);
  }
  if (section_count >= typed_section_count) {
    visit(20u, fabric.constraint_types);
    visit(21u, fabric.constraint_counts);
    visit(22u, fabric.constraint_particles);
    visit(23u, fabric.constraint_parameters);
  }
  if (section_count >= level_section_count) {
    visit(24u, fabric.level_counts);
    visit(25u, fabric.level_nodes);
    visit(26u, fabric.level_values);
  }
}

uint32_t section_count_of(const FabricData& data) {
  if (!data.level_counts.empty()) return level_section_count;
  if (!data.constraint_types.empty()) return typed_section_count;
  if (!data.virtual_particles.empty() || !data.virtual_weights.empty()) return virtual_section_count;
  return data.texture_coordinates.empty() ? plain_section_count : textured_section_count;
}

uint64_t aligned(uint64_t offset) { return (offset + alignment - 1) / alignment * alignment; }

// Returns the offset of the first section, which follows the table.
uint64_t sections_begin(uint32_t section_count) { return aligned(alignment + section_count * table_entry_size); }

// Builds a blob of known size. Sections must be added in the order of their ids.
class BlobWriter {
 public:
  BlobWriter(uint64_t size, uint32_t section_count) : bytes_(size, 0), offset_(sections_begin(section_count)) {
    std::memcpy(bytes_.data(), blob_magic, 8);
  }

  void add(uint32_t id, const void* words, uint64_t count) {
    uint8_t* entry = &bytes_[alignment + (id - 1) * table_entry_size];
    store_u32(entry, id);
    store_u32(entry + 4, static_cast<uint32_t>(offset_ / alignment));
    store_u32(entry + 8, static_cast<uint32_t>(count));
    for (uint64_t k = 0; k < count; ++k) {
      uint32_t word;
      std::memcpy(&word, static_cast<const uint8_t*>(words) + 4 * k, 4);
      store_u32(&bytes_[offset_ + 4 * k], word);
    }
    offset_ = aligned(offset_ + count * 4);
  }

  // Writes the header with the checksum, and returns the blob.
  std::vector<uint8_t> finish(Header header) {
    put_header(header);
    const uint64_t sum = checksum_of(&bytes_[checksum_begin], bytes_.size() - checksum_begin);
    header.checksum_low = static_cast<uint32_t>(sum);
    header.checksum_high = static_cast<uint32_t>(sum >> 32);
    put_header(header);
    return std::move(bytes_);
  }

 private:
  void put_header(const Header& header) {
    uint32_t words[header_words];
    std::memcpy(words, &header, sizeof(words));
    for (uint64_t k = 0; k < header_words; ++k) store_u32(&bytes_[8 + 4 * k], words[k]);
  }

  std::vector<uint8_t> bytes_;
  uint64_t offset_;
};

// Reads a blob. The constructor checks the header and the checksum, and section checks that a section lies in the blob.
class BlobReader {
 public:
  BlobReader(const uint8_t* bytes, uint64_t size) : bytes_(bytes), size_(size) {
    CLOTHC_REQUIRE(size >= alignment && std::equal(blob_magic, blob_magic + 8, reinterpret_cast<const char*>(bytes)),
                   "the data is not a clothc fabric blob: it does not begin with %s", blob_magic);
    load_words(bytes + 8, &header_, header_words);
    CLOTHC_REQUIRE(header_.endian_mark != swapped_mark, "the fabric blob has the other byte order; save it anew");
    CLOTHC_REQUIRE(header_.version == blob_version && header_.endian_mark == endian_mark,
                   "the fabric blob has version %u; this library reads version %u: cook the mesh again, or update the "
                   "library",
                   header_.version, blob_version);
    const uint64_t wanted = uint64_t{header_.size_high} << 32 | header_.size_low;
    CLOTHC_REQUIRE(wanted == size, "the fabric blob has %llu bytes, but %llu when it was saved; it was cut or joined",
                   static_cast<ull>(size), static_cast<ull>(wanted));
    const uint64_t sum = uint64_t{header_.checksum_high} << 32 | header_.checksum_low;
    CLOTHC_REQUIRE(sum == checksum_of(bytes + checksum_begin, size - checksum_begin),
                   "the fabric blob is damaged: its checksum differs");
    const uint32_t sections = header_.section_count;
    CLOTHC_REQUIRE(
        (sections == plain_section_count || sections == textured_section_count || sections == virtual_section_count ||
         sections == typed_section_count || sections == level_section_count) &&
            size >= alignment + sections * table_entry_size,
        "the fabric blob is damaged: it has %u sections", sections);
  }

  const Header& header() const { return header_; }

  template <class Element>
  std::vector<Element> section(uint32_t id) const {
    static_assert(sizeof(Element) == 4, "sections are words");
    const uint8_t* entry = bytes_ + alignment + (id - 1) * table_entry_size;
    const uint64_t offset = uint64_t{load_u32(entry + 4)} * alignment;
    const uint64_t count = load_u32(entry + 8);
    CLOTHC_REQUIRE(load_u32(entry) == id && offset <= size_ && count <= (size_ - offset) / 4,
                   "the fabric blob is damaged: section %u", id);
    std::vector<Element> values(count);
    if (count > 0) load_words(bytes_ + offset, values.data(), count);
    return values;
  }

 private:
  const uint8_t* bytes_;
  uint64_t size_;
  Header header_;
};

void read_report(const BlobReader& reader, FabricData& fabric) {
  const std::vector<uint32_t> words = reader.section<uint32_t>(report_section);
  const std::vector<uint32_t> diagnostics = reader.section<uint32_t>(diagnostics_section);
  const std::vector<uint32_t> counts = reader.section<uint32_t>(diagnostic_counts_section);
  CLOTHC_REQUIRE(words.size() == report_field_count && diagnostics.size() % 4 == 0 &&
                     counts.size() == size_t{diagnostic_kind_count} * 2,
                 "the fabric blob is damaged: its report has %zu words", words.size());
  for (size_t k = 0; k < report_field_count; ++k) fabric.report.*report_fields[k] = words[k];
  for (size_t k = 0; k < diagnostics.size(); k += 4) {
    Diagnostic diagnostic{diagnostics[k], diagnostics[k + 1], diagnostics[k + 2], 0};
    std::memcpy(&diagnostic.value, &diagnostics[k + 3], 4);
    CLOTHC_REQUIRE(diagnostic.kind >= 1 && diagnostic.kind < diagnostic_kind_count,
                   "the fabric blob is damaged: diagnostic %u", diagnostic.kind);
    fabric.diagnostics.push_back(diagnostic);
  }
  for (size_t k = 0; k < diagnostic_kind_count; ++k)
    fabric.diagnostic_counts[k] = uint64_t{counts[k * 2 + 1]} << 32 | counts[k * 2];
}

}  // namespace

uint64_t blob_size(const Fabric& fabric) {
  const FabricData& data = fabric.data();
  const uint32_t section_count = section_count_of(data);
  uint64_t size = sections_begin(section_count);
  const auto add_words = [&](uint64_t words) { size = aligned(size + words * 4); };
  visit_arrays(data, [&](uint32_t, const auto& array) { add_words(array.size()); });
  add_words(report_field_count);
  add_words(data.diagnostics.size() * 4);
  add_words(data.diagnostic_counts.size() * 2);
  visit_optional_arrays(section_count, data, [&](uint32_t, const auto& array) { add_words(array.size()); });
  return size;
}

std::vector<uint8_t> save_fabric(const Fabric& fabric) {
  const FabricData& data = fabric.data();
  std::vector<uint32_t> diagnostics, counts;
  for (const Diagnostic& diagnostic : data.diagnostics) {
    uint32_t value;
    std::memcpy(&value, &diagnostic.value, 4);
    diagnostics.insert(diagnostics.end(), {diagnostic.kind, diagnostic.first, diagnostic.second, value});
  }
  for (const uint64_t count : data.diagnostic_counts) {
    counts.push_back(static_cast<uint32_t>(count));
    counts.push_back(static_cast<uint32_t>(count >> 32));
  }
  const std::vector<uint32_t> report = words_of(data.report);

  const uint64_t size = blob_size(fabric);
  const uint32_t section_count = section_count_of(data);
  BlobWriter writer(size, section_count);
  const auto add_array = [&](uint32_t id, const auto& array) { writer.add(id, array.data(), array.size()); };
  visit_arrays(data, add_array);
  writer.add(report_section, report.data(), report.size());
  writer.add(diagnostics_section, diagnostics.data(), diagnostics.size());
  writer.add(diagnostic_counts_section, counts.data(), counts.size());
  visit_optional_arrays(section_count, data, add_array);
  Header header{};
  header.version = blob_version;
  header.endian_mark = endian_mark;
  header.size_low = static_cast<uint32_t>(size);
  header.size_high = static_cast<uint32_t>(size >> 32);
  header.content_low = static_cast<uint32_t>(fabric.layout()->content_hash);
  header.content_high = static_cast<uint32_t>(fabric.layout()->content_hash >> 32);
  header.particle_count = data.particle_count;
  header.vertex_count = data.vertex_count;
  header.tethers_per_particle = data.tethers_per_particle;
  header.section_count = section_count;
  header.flags = data.exact_lengths ? blob_has_exact_lengths : 0;
  return writer.finish(header);
}

std::shared_ptr<Fabric> load_fabric(const std::shared_ptr<Device>& device, const uint8_t* blob, uint64_t size) {
  const BlobReader reader(blob, size);
  const Header& header = reader.header();
  CLOTHC_REQUIRE(header.particle_count >= 1 && header.particle_count <= most_particles && header.vertex_count >= 1 &&
                     header.vertex_count <= most_particles && header.tethers_per_particle <= most_tethers_per_particle,
                 "the fabric blob is damaged: %u particles, %u vertices, %u tethers per particle",
                 header.particle_count, header.vertex_count, header.tethers_per_particle);
  CLOTHC_REQUIRE(
      (header.flags & ~blob_has_exact_lengths) == 0 && header.reserved == 0,
      "the fabric blob has flags 0x%x and a last word of %u; this library knows flag 0x1 and a word of 0: update it",
      header.flags, header.reserved);
  FabricData data;
  data.particle_count = header.particle_count;
  data.vertex_count = header.vertex_count;
  data.tethers_per_particle = header.tethers_per_particle;
  data.exact_lengths = (header.flags & blob_has_exact_lengths) != 0;
  const auto read_array = [&](uint32_t id, auto& array) {
    array = reader.section<typename std::decay_t<decltype(array)>::value_type>(id);
    CLOTHC_REQUIRE(array.size() <= most_elements * 4, "the fabric blob is damaged: section %u has %zu words", id,
                   array.size());
  };
  visit_arrays(data, read_array);
  visit_optional_arrays(header.section_count, data, read_array);
  read_report(reader, data);
  check_arrays(data, "the fabric blob");
  auto fabric = std::make_shared<Fabric>(device, std::move(data));
  CLOTHC_REQUIRE(fabric->layout()->content_hash == (uint64_t{header.content_high} << 32 | header.content_low),
                 "the fabric blob is damaged: its content hash differs");
  return fabric;
}

}  // namespace clothc
