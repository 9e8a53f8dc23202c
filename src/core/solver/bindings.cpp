// bindings.cpp - channels bound to buffers. At the end of an update, kernels write their values to the exchange block,
// as many vertices at a time as fit there, and copies bring them from there into the buffer layout that a renderer
// uses.
#include <algorithm>

#include "core/base/formats.h"
#include "core/schedule/schedule.h"
#include "core/solver/solver.h"

namespace clothc {
void Solver::bind(Cloth& cloth, Binding binding) {
  std::vector<Cloth*>& bound = contents_->bound_cloths;
  // Nothing can fail once memory for one more of each is there.
  cloth.bindings.reserve(cloth.bindings.size() + 1);
  if (bound.size() == bound.capacity()) bound.reserve(2 * bound.size() + 8);
  const bool was_bound = !cloth.bindings.empty();
  const auto same = [&](const Binding& other) { return other.channel == binding.channel; };
  cloth.bindings.erase(std::remove_if(cloth.bindings.begin(), cloth.bindings.end(), same), cloth.bindings.end());
  if (binding.buffer != nullptr) cloth.bindings.push_back(binding);
  const bool is_bound = !cloth.bindings.empty();
  if (is_bound && !was_bound) bound.push_back(&cloth);
  if (was_bound && !is_bound) remove_bound(*contents_, cloth);
}

void Solver::remove_bound(SolverContents& contents, const Cloth& cloth) {
  std::vector<Cloth*>& bound = contents.bound_cloths;
  bound.erase(std::remove(bound.begin(), bound.end(), &cloth), bound.end());
}

std::vector<Solver::BoundBuffer> Solver::bound_buffers() {
  std::vector<BoundBuffer> found;
  std::vector<Cloth*>& bound = contents_->bound_cloths;
  for (size_t position = bound.size(); position-- > 0;) {
    Cloth* const cloth = bound[position];
    for (size_t k = cloth->bindings.size(); k-- > 0;) {
      const Binding& binding = cloth->bindings[k];
      const auto object = handle_table().find(reinterpret_cast<uintptr_t>(binding.buffer), ObjectKind::buffer);
      if (object == nullptr) {
        cloth->bindings.erase(cloth->bindings.begin() + static_cast<std::ptrdiff_t>(k));
        continue;
      }
      found.push_back({cloth, binding, std::static_pointer_cast<Buffer>(object)});
      found.back().buffer->prepare_use(stream_);
    }
    if (cloth->bindings.empty()) bound.erase(bound.begin() + static_cast<std::ptrdiff_t>(position));
  }
  return found;
}

void Solver::write_bound(const std::vector<BoundBuffer>& bound) {
  const uint32_t capacity = particle_capacity() / lane_padding * lane_padding;
  uint32_t place = 0;
  jobs_.clear();
  copies_.clear();
  for (const BoundBuffer& entry : bound) {
    const uint32_t count = entry.cloth->data().vertex_count;
    for (uint32_t begin = 0; begin < count;) {
      if (place == capacity) {
        write_exchange(copies_);
        place = 0;
      }
      const uint32_t end = std::min(count, begin + capacity - place);
      jobs_.push_back({static_cast<uint32_t>(find_channel(entry.binding.channel)->read), entry.cloth->slot, begin, end,
                       read_vertices | (read_bias + place - begin)});
      Copy copy;
      copy.source = contents_->particle_memory;
      copy.source_offset = (uint64_t{block_exchange} * particle_capacity() + place) * 16;
      copy.source_stride = 16;
      copy.target = entry.buffer->memory_for_transfer();
      copy.target_offset = entry.binding.byte_offset + uint64_t{begin} * entry.binding.stride;
      copy.target_stride = entry.binding.stride;
      copy.element_size = size_of_format(entry.binding.format);
      copy.count = end - begin;
      copies_.push_back(std::move(copy));
      place += (end - begin + lane_padding - 1) / lane_padding * lane_padding;
      begin = end;
    }
  }
  write_exchange(copies_);
}

// Queues the collected jobs, which fill the exchange block, and then the copies from it.
void Solver::write_exchange(std::vector<Copy>& copies) {
  // If stable_sort cannot allocate its temporary buffer, it takes longer but gives the same order.
  std::stable_sort(jobs_.begin(), jobs_.end(), [](const Job& a, const Job& b) { return a.kernel < b.kernel; });
  run(jobs_);
  for (const Copy& copy : copies) stream_->copy(copy);
  jobs_.clear();
  copies.clear();
}

}  // namespace clothc
