// bindings.h - channels of cloths that every update writes to buffers.
#pragma once

#include <memory>
#include <vector>

#include "core/objects/buffer.h"
#include "core/solver/cloths.h"

namespace clothc {

// A binding, and the use of its buffer, which still exists, by an update.
struct BoundBuffer {
  Cloth* cloth;
  Binding binding;
  BufferUse use;
};

class Bindings {
 public:
  explicit Bindings(DeviceStore& store) : store_(store) {}

  // Replaces the cloth's binding of the binding's channel, or ends it if the new binding has no buffer.
  void bind(Cloth& cloth, Binding binding);
  // Ends all bindings of a cloth. Cannot fail.
  void unbind(Cloth& cloth);
  // Lets copies that wait for the buffers of bindings go first: see Buffer::give_way.
  bool give_way(bool may_wait) const;
  // Begins to use the buffers of all bindings, and drops the bindings whose buffers do not exist any more. Fails if a
  // buffer is mapped.
  std::vector<BoundBuffer> prepare();
  // Queue the writes of those channels that are written before the cloths of an update move, and of all others. moves:
  // whether the update moves the cloths and their frames.
  void queue_starts(const std::vector<BoundBuffer>& bound) { queue(bound, true, true); }
  void queue(const std::vector<BoundBuffer>& bound, bool moves) { queue(bound, false, !moves); }

 private:
  // starts: which of the channels. at_start: whether the frames are where they are when the update begins.
  void queue(const std::vector<BoundBuffer>& bound, bool starts, bool at_start);
  void write_exchange();

  DeviceStore& store_;
  // The cloths that have bindings.
  std::vector<Cloth*> cloths_;
  // Scratch memory for the jobs that fill the exchange block, and for the copies from there.
  std::vector<Job> jobs_;
  std::vector<Copy> copies_;
};

}  // namespace clothc
