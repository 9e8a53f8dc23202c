// bindings.cpp - channels bound to buffers. At the begin or end of an update, kernels write their values to the
// exchange block, as many vertices at a time as fit there, and copies bring them from there into the buffer layout that
// a renderer uses.
#include "core/solver/bindings.h"

#include <algorithm>

#include "core/base/formats.h"
#include "core/solver/channels.h"

namespace clothc {
namespace {

// Returns the buffer of a binding, or null if it does not exist any more.
std::shared_ptr<Buffer> find_buffer(const Binding& binding) {
  const auto handle = reinterpret_cast<uintptr_t>(binding.buffer);
  return std::static_pointer_cast<Buffer>(handle_table().find(handle, ObjectKind::buffer));
}

}  // namespace

void Bindings::bind(Cloth& cloth, Binding binding) {
  // Nothing can fail once memory for one more of each is there.
  cloth.bindings.reserve(cloth.bindings.size() + 1);
  if (cloths_.size() == cloths_.capacity()) cloths_.reserve(2 * cloths_.size() + 8);
  const bool was_bound = !cloth.bindings.empty();
  const auto same = [&](const Binding& other) { return other.channel == binding.channel; };
  cloth.bindings.erase(std::remove_if(cloth.bindings.begin(), cloth.bindings.end(), same), cloth.bindings.end());
  if (binding.buffer != nullptr) cloth.bindings.push_back(binding);
  if (!was_bound && !cloth.bindings.empty()) cloths_.push_back(&cloth);
  if (was_bound && cloth.bindings.empty()) cloths_.erase(std::find(cloths_.begin(), cloths_.end(), &cloth));
}

void Bindings::unbind(Cloth& cloth) {
  if (cloth.bindings.empty()) return;
  cloth.bindings.clear();
  cloths_.erase(std::find(cloths_.begin(), cloths_.end(), &cloth));
}

bool Bindings::give_way(bool may_wait) const {
  if (Buffer::waiting_copies() == 0) return true;
  for (const Cloth* cloth : cloths_) {
    for (const Binding& binding : cloth->bindings) {
      const std::shared_ptr<Buffer> buffer = find_buffer(binding);
      if (buffer != nullptr && !buffer->give_way(may_wait)) return false;
    }
  }
  return true;
}

std::vector<BoundBuffer> Bindings::prepare() {
  std::vector<BoundBuffer> found;
  for (size_t position = cloths_.size(); position-- > 0;) {
    Cloth* const cloth = cloths_[position];
    for (size_t k = cloth->bindings.size(); k-- > 0;) {
      const Binding& binding = cloth->bindings[k];
      const std::shared_ptr<Buffer> buffer = find_buffer(binding);
      if (buffer == nullptr) {
        cloth->bindings.erase(cloth->bindings.begin() + static_cast<std::ptrdiff_t>(k));
        continue;
      }
      try {
        found.push_back({cloth, binding, {buffer, store_.queue().shared_stream()}});
      } catch (const Failure& failure) {
        // Another thread is destroying the buffer, which ends the binding.
        if (failure.result != CLOTHC_ERROR_INVALID_HANDLE) throw;
        cloth->bindings.erase(cloth->bindings.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
    if (cloth->bindings.empty()) cloths_.erase(cloths_.begin() + static_cast<std::ptrdiff_t>(position));
  }
  return found;
}

void Bindings::queue(const std::vector<BoundBuffer>& bound, bool starts, bool at_start) {
  const uint32_t capacity = store_.particle_capacity() / lane_padding * lane_padding;
  // The number of elements of the exchange block that are taken.
  uint32_t used = 0;
  jobs_.clear();
  copies_.clear();
  for (const BoundBuffer& target : bound) {
    if (target.binding.is_start() != starts) continue;
    const bool in_world = (target.binding.flags & CLOTHC_VIEW_WORLD) != 0;
    const uint32_t pose = in_world ? read_in_world | (at_start ? read_at_start : 0u) : 0u;
    const uint32_t count = target.cloth->layout().vertex_count;
    for (uint32_t begin = 0; begin < count;) {
      if (used == capacity) {
        write_exchange();
        used = 0;
      }
      const uint32_t end = std::min(count, begin + capacity - used);
      jobs_.push_back({static_cast<uint32_t>(find_channel(target.binding.channel)->read), target.cloth->slot, begin,
                       end, read_vertices | pose | (read_bias + used - begin)});
      Copy copy;
      copy.source = store_.particle_memory();
      copy.source_offset = store_.block_range(block_exchange, used, 0).offset;
      copy.source_stride = 16;
      copy.target = target.use.memory();
      copy.target_offset = target.binding.byte_offset + uint64_t{begin} * target.binding.stride;
      copy.target_stride = target.binding.stride;
      copy.element_size = size_of_format(target.binding.format);
      copy.count = end - begin;
      copies_.push_back(std::move(copy));
      used += (end - begin + lane_padding - 1) / lane_padding * lane_padding;
      begin = end;
    }
  }
  if (used > 0) write_exchange();
}

// Queues the collected jobs, which fill the exchange block, and then the copies from it.
void Bindings::write_exchange() {
  // If stable_sort cannot allocate its temporary buffer, it takes longer but gives the same order.
  std::stable_sort(jobs_.begin(), jobs_.end(), [](const Job& a, const Job& b) { return a.kernel < b.kernel; });
  store_.run(jobs_);
  for (const Copy& copy : copies_) store_.queue().commands().add(copy);
  jobs_.clear();
  copies_.clear();
}

}  // namespace clothc
