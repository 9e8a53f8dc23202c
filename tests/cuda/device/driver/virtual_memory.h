// virtual_memory.h - allocations that processes can share, and ranges of addresses into which they are mapped.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "cuda/device/driver/pages.h"

namespace clothc::cuda_device {

constexpr uint64_t granularity = uint64_t{2} << 20;

// Owns a handle of shared memory.
class Descriptor {
 public:
  explicit Descriptor(SharedHandle value) : value_(value) {}
  ~Descriptor() { close_shared(value_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  SharedHandle value() const { return value_; }

 private:
  const SharedHandle value_;
};

// The physical memory, which lives while it has a handle or is mapped.
struct ShareableAllocation {
  std::shared_ptr<const Descriptor> memory;
  uint64_t size = 0;
  int device = 0;
  bool is_exportable = false;
};

struct Mapping {
  uint64_t size = 0;
  std::shared_ptr<const Descriptor> memory;
  int device = 0;
  bool is_accessible = false;
};

struct AddressRange {
  uint64_t size = 0;
  // By first address.
  std::map<uint64_t, Mapping> mappings;
};

}  // namespace clothc::cuda_device
