// run.cpp - steps a simulation and passes its frames to the outputs through two buffers: while the outputs process one
// frame, the solver computes the next.
#include "simulation/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "scene/frames/poses.h"
#include "cli/interrupt.h"
#include "cli/progress.h"

namespace clothc_tool {
namespace {

class FrameReader {
 public:
  explicit FrameReader(const SceneSimulation& simulation) : simulation_(simulation) {
    for (clothc::Buffer& buffer : buffers_) {
      buffer = simulation.device().create_buffer(CLOTHC_FORMAT_FLOAT3, simulation.particle_capacity()).value();
    }
  }

  // Queues a copy of the state after everything queued so far, and returns the index of the buffer that receives it.
  size_t queue() {
    next_ = 1 - next_;
    simulation_.solver().get(CLOTHC_CHANNEL_POSITION, buffers_[next_]).check();
    return next_;
  }

  // Waits for a queued copy and returns the state of that frame.
  FrameState read(size_t buffer_index, uint32_t frame) const {
    const auto positions = buffers_[buffer_index].map<const Vector3>().value();
    const Scene& scene = simulation_.scene();
    FrameState state;
    for (size_t i = 0; i < scene.cloths.size(); ++i) {
      const clothc_cloth_info& info = simulation_.cloths()[i].info;
      const Vector3* first = positions.data() + info.first_particle;
      state.push_back(in_scene(scene, scene.cloths[i], {first, first + info.particle_count}, frame));
    }
    return state;
  }

 private:
  const SceneSimulation& simulation_;
  std::array<clothc::Buffer, 2> buffers_;
  size_t next_ = 0;
};

class Run {
 public:
  Run(SceneSimulation& simulation, uint32_t frame_count, const OutputOptions& options)
      : simulation_(simulation),
        frame_count_(frame_count),
        outputs_(make_outputs(options, simulation, frame_count)),
        reader_(simulation) {}

  RunResult go() {
    const InterruptGuard guard;
    Progress progress(simulation_.scene().name, frame_count_);
    const auto begin = std::chrono::steady_clock::now();
    queue_frame(0);
    while (result_.frame_count < frame_count_ && !InterruptGuard::interrupted()) {
      simulation_.step();
      queue_frame(++result_.frame_count);
      progress.show(result_.frame_count);
    }
    write_pending();
    simulation_.wait();
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result_.interrupted = result_.frame_count < frame_count_;
    finish_outputs();
    return std::move(result_);
  }

 private:
  struct Pending {
    uint32_t frame;
    size_t buffer_index;
  };

  // Queues the copy of this frame and writes the previous one while the solver works.
  void queue_frame(uint32_t frame) {
    const bool wanted = std::any_of(outputs_.begin(), outputs_.end(), [&](const auto& o) { return o->wants(frame); });
    std::optional<Pending> queued;
    if (wanted) queued = Pending{frame, reader_.queue()};
    write_pending();
    pending_ = queued;
  }

  void write_pending() {
    if (!pending_) return;
    const FrameState state = reader_.read(pending_->buffer_index, pending_->frame);
    for (const auto& output : outputs_) {
      if (output->wants(pending_->frame)) output->add(pending_->frame, state);
    }
    pending_.reset();
  }

  void finish_outputs() {
    for (const auto& output : outputs_) {
      output->finish();
      if (!output->renderer().empty()) result_.renderer = output->renderer();
      result_.files.insert(result_.files.end(), output->files().begin(), output->files().end());
    }
  }

  SceneSimulation& simulation_;
  uint32_t frame_count_;
  std::vector<std::unique_ptr<FrameOutput>> outputs_;
  FrameReader reader_;
  std::optional<Pending> pending_;
  RunResult result_;
};

}  // namespace

RunResult run_simulation(SceneSimulation& simulation, uint32_t frame_count, const OutputOptions& options) {
  return Run(simulation, frame_count, options).go();
}

}  // namespace clothc_tool
