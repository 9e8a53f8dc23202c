// calls.cpp - the calls that a replay makes in another way than the recorded program did, and those after which the
// player notes what there is.
#include <algorithm>

#include "capture/player.h"

namespace clothc_tool {
namespace {

// Arguments are in the decoder's memory, which is not const.
template <class Struct>
Struct* changeable(const Struct* arguments) {
  return const_cast<Struct*>(arguments);
}

// Sets and gets of these channels copy during the call; other copies go on behind it.
bool copies_during_call(clothc_channel channel) {
  return channel == CLOTHC_CHANNEL_CLOTH_PARAMETERS || channel == CLOTHC_CHANNEL_CLOTH_STATUS ||
         channel == CLOTHC_CHANNEL_CLOTH_FRAME || channel == CLOTHC_CHANNEL_INTERSECTION_COUNT;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------- devices

clothc_result CapturePlayer::make_device(clothc_device* device) {
  if (recorded_result_ < 0 || !device) return recorded_result_;
  devices_.push_back(hooks_.make_device ? hooks_.make_device() : create_device(options_));
  *device = devices_.back().get();
  device_info_ = devices_.back().info().value();
  ++report_.device_count;
  return CLOTHC_SUCCESS;
}

clothc_result CapturePlayer::make_call(DeviceCreateCall& call) { return make_device(call.device); }
clothc_result CapturePlayer::make_call(CudaDeviceCreateCall& call) { return make_device(call.device); }
clothc_result CapturePlayer::make_call(VulkanDeviceCreateCall& call) { return make_device(call.device); }

clothc_result CapturePlayer::make_call(DeviceDestroyCall& call) {
  const clothc_result result = call.invoke(library_);
  if (result < 0) return result;
  const std::vector<clothc_solver> before = solvers_;
  for (clothc_solver solver : before) {
    if (device_of_[solver] == call.device) remove_solver(solver);
  }
  return result;
}

// ---------------------------------------------------------------------------------------------------- buffers

clothc_result CapturePlayer::make_call(BufferCreateCall& call) {
  // What was wrong with memory of the program cannot be seen here.
  if (recorded_result_ < 0) return recorded_result_;
  const clothc_buffer_kind recorded = call.desc ? call.desc->kind : clothc_buffer_kind{CLOTHC_BUFFER_HOST};
  const clothc_buffer_kind kind = ReplayedBuffers::kind_in_replay(recorded);
  if (call.desc && kind != recorded) {
    auto* const desc = changeable(call.desc);
    desc->kind = kind;
    desc->external = nullptr;
  }
  const clothc_result result = call.invoke(library_);
  if (result >= 0) buffers_.add(*call.buffer, recorded);
  return result;
}

clothc_result CapturePlayer::make_call(VulkanBufferCreateCall& call) {
  BufferCreateCall plain{call.device, call.desc, call.buffer};
  return make_call(plain);
}

clothc_result CapturePlayer::make_call(BufferDestroyCall& call) {
  const clothc_result result = call.invoke(library_);
  if (result >= 0) buffers_.remove(call.buffer);
  return result;
}

clothc_result CapturePlayer::make_call(BufferMapCall& call) {
  // Memory of the program cannot be mapped in all ways in which that of the library can.
  if (recorded_result_ < 0 && buffers_.is_replaced(call.buffer)) return recorded_result_;
  if (recorded_result_ >= 0) call.flags &= ~uint32_t{CLOTHC_MAP_NO_WAIT};
  const clothc_result result = call.invoke(library_);
  if (result == CLOTHC_SUCCESS) buffers_.map(call.buffer, *call.pointer);
  return result;
}

clothc_result CapturePlayer::make_call(BufferUnmapCall& call) {
  buffers_.unmap(call.buffer);
  return call.invoke(library_);
}

// ---------------------------------------------------------------------------------------------------- fabrics

template <class Call>
clothc_result CapturePlayer::make_fabric(Call& call) {
  const clothc_result result = call.invoke(library_);
  if (result >= 0 && hooks_.fabric_made) hooks_.fabric_made(*call.fabric);
  return result;
}

clothc_result CapturePlayer::make_call(FabricCookCall& call) { return make_fabric(call); }

clothc_result CapturePlayer::make_call(FabricCreateCall& call) { return make_fabric(call); }

clothc_result CapturePlayer::make_call(FabricLoadCall& call) { return make_fabric(call); }

// ---------------------------------------------------------------------------------------------------- solvers

void CapturePlayer::add_solver(clothc_solver solver) {
  solvers_.push_back(solver);
  states_[solver] = {++report_.solver_count, 0};
}

void CapturePlayer::remove_solver(clothc_solver solver) {
  solvers_.erase(std::remove(solvers_.begin(), solvers_.end(), solver), solvers_.end());
  states_.erase(solver);
  device_of_.erase(solver);
}

clothc_result CapturePlayer::make_call(SolverCreateCall& call) {
  const clothc_schedule schedule = schedule_of(options_);
  if (call.desc && recorded_result_ >= 0 && schedule != CLOTHC_SCHEDULE_AUTO)
    changeable(call.desc)->schedule = schedule;
  const clothc_result result = call.invoke(library_);
  if (result < 0) return result;
  add_solver(*call.solver);
  device_of_[*call.solver] = call.device;
  return result;
}

clothc_result CapturePlayer::make_call(SolverDestroyCall& call) {
  const clothc_result result = call.invoke(library_);
  if (result >= 0) remove_solver(call.solver);
  return result;
}

clothc_result CapturePlayer::make_call(SolverUpdateCall& call) {
  if (!call.update) return call.invoke(library_);
  auto& update = *changeable(call.update);
  if (recorded_result_ >= 0) update.flags &= ~uint32_t{CLOTHC_UPDATE_NO_WAIT | CLOTHC_UPDATE_TIMERS};
  // An update need not raise a fence that the player has raised.
  const auto leave_out_signal = [&] {
    if (fences_.was_released(update.signal_fence, update.signal_value)) update.signal_fence = nullptr;
  };
  leave_out_signal();
  const uint32_t flags = update.flags;
  clothc_result result = CLOTHC_NOT_READY;
  if (fences_.is_stuck()) {
    update.flags |= CLOTHC_UPDATE_NO_WAIT;
    result = call.invoke(library_);
    update.flags = flags;
    if (result == CLOTHC_NOT_READY) release_fences();
    leave_out_signal();
  }
  if (result == CLOTHC_NOT_READY) result = call.invoke(library_);
  if (result != CLOTHC_SUCCESS) return result;
  if (update.wait_fence) fences_.awaited(update.wait_fence, update.wait_value);
  if (update.signal_fence) fences_.raised(update.signal_fence, update.signal_value);
  ++report_.update_count;
  ++states_[call.solver].update_count;
  updated_ = call.solver;
  return result;
}

// The program's command buffer has ended before anything else is played, as far as that matters here.
clothc_result CapturePlayer::make_call(VulkanRecordUpdateCall& call) {
  if (recorded_result_ != CLOTHC_SUCCESS || !call.update) return recorded_result_;
  SolverUpdateCall plain{call.solver, call.update, nullptr};
  return make_call(plain);
}

clothc_result CapturePlayer::make_call(SolverSetCall& call) {
  if (copies_during_call(call.channel) && fences_.is_stuck()) release_fences();
  if (buffers_.is_shared(call.buffer)) {
    add_message(
        "the program set channels from memory that it shared with others or wrapped; what they wrote there is "
        "not in the capture");
  }
  return call.invoke(library_);
}

clothc_result CapturePlayer::make_call(SolverGetCall& call) {
  if (copies_during_call(call.channel) && fences_.is_stuck()) release_fences();
  return call.invoke(library_);
}

clothc_result CapturePlayer::make_call(SolverRestoreCall& call) {
  const clothc_result result = call.invoke(library_);
  if (result >= 0) objects_.forget_ids(recorded_solver_);
  return result;
}

clothc_result CapturePlayer::count_cloth(clothc_result result) {
  report_.cloth_count += result >= 0;
  return result;
}

clothc_result CapturePlayer::make_call(ClothAddCall& call) { return count_cloth(call.invoke(library_)); }

clothc_result CapturePlayer::make_call(ClothCloneCall& call) { return count_cloth(call.invoke(library_)); }

clothc_result CapturePlayer::make_call(GroupAddCall& call) { return count_cloth(call.invoke(library_)); }

// ---------------------------------------------------------------------------------------------------- fences

clothc_result CapturePlayer::make_call(FenceCreateCall& call) {
  const clothc_result result = call.invoke(library_);
  if (result >= 0) fences_.raised(*call.fence, call.value);
  return result;
}

clothc_result CapturePlayer::make_call(FenceImportCall& call) {
  if (recorded_result_ < 0 || !call.fence) return recorded_result_;
  const clothc_result result = library_.fence_create(call.device, 0, call.fence);
  if (result >= 0) fences_.raised(*call.fence, 0);
  return result;
}

// An update that waits for a fence keeps it, but then nothing can raise it any more.
clothc_result CapturePlayer::make_call(FenceDestroyCall& call) {
  if (fences_.is_stuck()) release_fences();
  return call.invoke(library_);
}

clothc_result CapturePlayer::make_call(FenceSignalCall& call) {
  if (fences_.was_released(call.fence, call.value)) return CLOTHC_SUCCESS;
  const clothc_result result = call.invoke(library_);
  if (result >= 0) fences_.raised(call.fence, call.value);
  return result;
}

}  // namespace clothc_tool
