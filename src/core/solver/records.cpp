// records.cpp - the channels of parameters and frames. The host owns this data, so a set copies the records during the
// call, and a get writes them before it returns.
#include "core/base/structs.h"
#include "core/objects/buffer.h"
#include "core/solver/transfers.h"

namespace clothc {
namespace {

// Reads the records of a set in the order of its regions. Records of older releases are shorter.
template <class Record>
std::vector<Record> read_records(const Transfer& transfer) {
  const HostAccess access(*transfer.buffer);
  std::vector<Record> records;
  for (const clothc_region& region : transfer.regions) {
    for (uint32_t k = 0; k < region.count; ++k) {
      Record record{};
      const uint64_t first = transfer.byte_offset + uint64_t{region.source_offset + k} * transfer.stride;
      access.memory()->read(first, &record, transfer.element_size);
      CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STRUCT,
                        record.struct_size <= transfer.element_size || record.struct_size > sizeof(record),
                        "%s.struct_size is %u, but records are %u bytes apart", StructTraits<Record>::name,
                        record.struct_size, transfer.stride);
      records.push_back(adopt(&record));
    }
  }
  return records;
}

// Writes the records of a get. record_of returns the record of a cloth.
template <class RecordOf>
void write_records(const Transfer& transfer, const std::vector<Cloth*>& cloths, RecordOf record_of) {
  const HostAccess access(*transfer.buffer);
  for (const clothc_region& region : transfer.regions) {
    for (uint32_t k = 0; k < region.count; ++k) {
      auto record = record_of(*cloths[region.source_offset + k]);
      record.struct_size = transfer.element_size;
      access.memory()->write(transfer.byte_offset + uint64_t{region.target_offset + k} * transfer.stride, &record,
                             transfer.element_size);
    }
  }
}

}  // namespace

template <class Visit>
void Transfers::visit_targets(const Transfer& transfer, Visit visit) {
  size_t next = 0;
  for (const clothc_region& region : transfer.regions) {
    for (uint32_t k = 0; k < region.count; ++k) visit(*cloths_.in_order()[region.target_offset + k], next++);
  }
}

void Transfers::set_records(const Transfer& transfer) {
  if (transfer.channel->channel == CLOTHC_CHANNEL_CLOTH_FRAME) {
    const auto frames = read_records<clothc_cloth_frame>(transfer);
    for (const clothc_cloth_frame& frame : frames) check_frame(frame, "cloth_frame");
    visit_targets(transfer, [&](Cloth& cloth, size_t k) { cloths_.set_frame(cloth, frames[k]); });
    return;
  }
  const auto records = read_records<clothc_cloth_parameters>(transfer);
  for (const clothc_cloth_parameters& record : records) check_parameters(record, "cloth_parameters");
  visit_targets(transfer, [&](Cloth& cloth, size_t k) { check_wind(records[k], cloth.layout(), "cloth_parameters"); });
  visit_targets(transfer, [&](Cloth& cloth, size_t k) { cloths_.ensure_memory_for(cloth, records[k]); });
  visit_targets(transfer, [&](Cloth& cloth, size_t k) { cloths_.set_parameters(cloth, records[k]); });
}

void Transfers::get_records(const Transfer& transfer) {
  if (transfer.channel->channel == CLOTHC_CHANNEL_CLOTH_FRAME) {
    write_records(transfer, cloths_.in_order(), [](const Cloth& cloth) { return cloth.frame.record(); });
  } else {
    write_records(transfer, cloths_.in_order(), [](const Cloth& cloth) { return cloth.parameters; });
  }
}

}  // namespace clothc
