// fabric_store.h - the fabrics of a solver on the device. Each fabric is there once, however many cloths use it, as long
// as any cloth does.
#pragma once

#include <memory>
#include <unordered_map>

#include "core/backend/arena.h"
#include "core/fabric/device_fabric.h"
#include "core/solver/command_queue.h"

namespace clothc {

class FabricStore {
 public:
  explicit FabricStore(CommandQueue& queue);

  const MemoryPointer& memory() const { return arena_.memory(); }
  // Returns the DeviceFabric of a fabric, and uploads the fabric if the device does not have it. The store must outlive
  // what it returns.
  std::shared_ptr<const DeviceFabric> get(const std::shared_ptr<const FabricData>& data);

 private:
  CommandQueue& queue_;
  WordArena arena_;
  // A DeviceFabric removes itself from this map when its last cloth is gone.
  std::unordered_map<const FabricData*, std::weak_ptr<const DeviceFabric>> fabrics_;
};

}  // namespace clothc
