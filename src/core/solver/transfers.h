// transfers.h - sets and gets of channels: per-particle channels, records of cloths, and contacts.
#pragma once

#include <vector>

#include "core/solver/channels.h"
#include "core/solver/intersections.h"
#include "core/solver/uploads.h"

namespace clothc {

// Elements of a per-particle channel, from begin to end.
struct Elements {
  uint32_t begin;
  uint32_t end;
  uint32_t count() const { return end - begin; }
};

class Transfers {
 public:
  Transfers(DeviceStore& store, Cloths& cloths, ContactReport& contacts, Intersections& intersections,
            Uploads& uploads);

  // Number of elements of a channel; 0 if there is no such channel.
  uint64_t element_count(clothc_channel channel) const;
  void set(const Transfer& transfer);
  void get(const Transfer& transfer);

 private:
  // Returns the cloths that have particles in the regions of a get, each once.
  std::vector<Cloth*> cloths_in(const Transfer& transfer);

  // Parameters and frames. Defined in records.cpp.

  void set_records(const Transfer& transfer);
  void get_records(const Transfer& transfer);
  template <class Visit>
  void visit_targets(const Transfer& transfer, Visit visit);

  // These queue the copies and kernels of one region. Defined in transfers.cpp.

  void set_particles(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);
  void get_particles(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);
  void get_cloth(Cloth& cloth, const ChannelInfo& channel, Elements elements);
  void get_status(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);

  DeviceStore& store_;
  Cloths& cloths_;
  ContactReport& contacts_;
  Intersections& intersections_;
  Uploads& uploads_;
  // Scratch memory for the jobs of a region.
  std::vector<Job> jobs_;
};

}  // namespace clothc
