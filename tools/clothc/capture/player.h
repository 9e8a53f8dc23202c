// player.h - replays a capture step by step: next_update() makes all calls up to the next update, after which the objects
// of the replay can be read, as a viewer does. Not for several threads.
#pragma once

#include <clothc.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "capture/buffers.h"
#include "capture/decoder.h"
#include "capture/fences.h"
#include "capture/objects.h"
#include "capture/reader.h"
#include "capture/report.h"
#include "cli/device_options.h"

namespace clothc_tool {

class CapturePlayer {
 public:
  // What the caller of a player adds to the replay. Either may be empty.
  struct Hooks {
    // Makes the devices that replace those of the recorded program. By default the options say which.
    std::function<clothc::Device()> make_device;

    // Called with every fabric when it has been made. The capture may destroy it soon, as programs do.
    std::function<void(clothc_fabric)> fabric_made;
  };

  // options: the devices that replace those of the recorded program, and the schedule of solvers.
  CapturePlayer(CaptureReader reader, const DeviceOptions& options, Hooks hooks = {});

  // Ends all work.
  ~CapturePlayer();
  CapturePlayer(const CapturePlayer&) = delete;
  CapturePlayer& operator=(const CapturePlayer&) = delete;

  // Replays up to and including the next update, and compares the hash that belongs to it. Returns the solver, or null at
  // the end of the capture. Throws DamagedCapture, InputError, or clothc::Error if the device cannot be made.
  clothc_solver next_update();

  // Waits for everything that was replayed.
  void wait();

  // The solvers that exist now, in the order in which they were created. clothc_cloth_list names their cloths.
  const std::vector<clothc_solver>& solvers() const { return solvers_; }
  // The device of a solver that exists.
  clothc_device device_of(clothc_solver solver) const { return device_of_.at(solver); }
  // The device that the options select, once the capture has created one.
  const std::optional<clothc_device_info>& device_info() const { return device_info_; }
  const PlayReport& report() const { return report_; }
  const CaptureReader& reader() const { return reader_; }

 private:
  struct SolverState {
    uint64_t number = 0;
    uint64_t update_count = 0;
  };
  // A call whose result the capture gives later.
  struct OpenResult {
    Function function;
    int32_t result;
    std::string message;
  };

  bool next_event(CaptureEvent& event);
  void play(CaptureEvent& event);
  void play_call(CaptureEvent& event);
  void play_result(CaptureEvent& event);
  void compare_hash(CaptureEvent& event);
  void compare_open_results();
  void compare(uint64_t call, Function function, int32_t recorded, int32_t replayed, const std::string& message);
  void add_failure(uint64_t call, Function function, int32_t result, const std::string& message);
  void add_message(const std::string& message);
  void release_fences();
  void add_solver(clothc_solver solver);
  void remove_solver(clothc_solver solver);

  // Makes a call, or what stands for it in a replay.
  template <class Call>
  clothc_result make(Call& call);
  clothc_result make_call(DeviceCreateCall& call);
  clothc_result make_call(CudaDeviceCreateCall& call);
  clothc_result make_call(VulkanDeviceCreateCall& call);
  clothc_result make_call(DeviceDestroyCall& call);
  clothc_result make_call(BufferCreateCall& call);
  clothc_result make_call(VulkanBufferCreateCall& call);
  clothc_result make_call(BufferDestroyCall& call);
  clothc_result make_call(BufferMapCall& call);
  clothc_result make_call(BufferUnmapCall& call);
  clothc_result make_call(FabricCookCall& call);
  clothc_result make_call(FabricCreateCall& call);
  clothc_result make_call(FabricLoadCall& call);
  clothc_result make_call(SolverCreateCall& call);
  clothc_result make_call(SolverDestroyCall& call);
  clothc_result make_call(SolverUpdateCall& call);
  clothc_result make_call(VulkanRecordUpdateCall& call);
  clothc_result make_call(SolverSetCall& call);
  clothc_result make_call(SolverGetCall& call);
  clothc_result make_call(SolverRestoreCall& call);
  clothc_result make_call(ClothAddCall& call);
  clothc_result make_call(ClothCloneCall& call);
  clothc_result make_call(GroupAddCall& call);
  clothc_result make_call(FenceCreateCall& call);
  clothc_result make_call(FenceImportCall& call);
  clothc_result make_call(FenceDestroyCall& call);
  clothc_result make_call(FenceSignalCall& call);
  template <class Call>
  clothc_result make_call(Call& call) {
    return call.invoke(library_);
  }
  clothc_result make_device(clothc_device* device);
  template <class Call>
  clothc_result make_fabric(Call& call);
  clothc_result count_cloth(clothc_result result);

  CaptureReader reader_;
  DeviceOptions options_;
  Hooks hooks_;
  Library library_;
  CapturedObjects objects_;
  ReplayedBuffers buffers_;
  ReplayedFences fences_;
  std::vector<clothc::Device> devices_;
  std::optional<clothc_device_info> device_info_;
  std::vector<clothc_solver> solvers_;
  std::unordered_map<clothc_solver, SolverState> states_;
  std::unordered_map<clothc_solver, clothc_device> device_of_;
  std::unordered_map<uint64_t, OpenResult> open_results_;
  // The recorded result of the call that is being replayed.
  int32_t recorded_result_ = 0;
  uint64_t recorded_solver_ = 0;
  // The solver of the last successful update; null once it has been returned.
  clothc_solver updated_ = nullptr;
  std::optional<CaptureEvent> ahead_;
  PlayReport report_;
};

}  // namespace clothc_tool
