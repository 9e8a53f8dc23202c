// run.cpp - hashes the state after every frame on every configuration. For a configuration whose hash differs, runs it
// and the reference again up to that frame to find the first particle that differs.
#include "compare/run.h"

#include <algorithm>
#include <cstring>

#include "scene/simulation.h"

namespace clothc_tool {
namespace {

// A scene that runs on a device of its own.
struct ComparedRun {
  ComparedRun(const Scene& scene, const Configuration& configuration)
      : device(configuration.create()), simulation(device, scene, configuration.schedule) {}
  clothc::Device device;
  SceneSimulation simulation;
};

struct Channel {
  clothc_channel channel;
  const char* name;
};
constexpr Channel kChannels[] = {{CLOTHC_CHANNEL_POSITION, "position"},
                                 {CLOTHC_CHANNEL_PREVIOUS_POSITION, "previous position"}};

std::vector<uint64_t> frame_hashes(const Scene& scene, const Configuration& configuration, uint32_t frame_count,
                                   const FrameCallback& frame_done) {
  ComparedRun run(scene, configuration);
  std::vector<uint64_t> hashes;
  while (hashes.size() < frame_count) {
    run.simulation.step();
    hashes.push_back(run.simulation.hash());
    if (!frame_done()) break;
  }
  return hashes;
}

bool same_bits(float a, float b) {
  uint32_t a_bits = 0, b_bits = 0;
  std::memcpy(&a_bits, &a, sizeof a);
  std::memcpy(&b_bits, &b, sizeof b);
  return a_bits == b_bits;
}

std::optional<Difference::Particle> first_particle(const ComparedRun& reference, const ComparedRun& other) {
  for (std::size_t cloth = 0; cloth < reference.simulation.cloths().size(); ++cloth) {
    for (const Channel& channel : kChannels) {
      const auto read = [&](const ComparedRun& run) {
        const clothc::Cloth compared = run.simulation.cloths()[cloth].cloth;
        return compared.read<float>(run.device, channel.channel, CLOTHC_FORMAT_FLOAT4).value();
      };
      const std::vector<float> a = read(reference), b = read(other);
      for (std::size_t i = 0; i + 3 < a.size() && i + 3 < b.size(); i += 4) {
        if (std::equal(&a[i], &a[i] + 4, &b[i], same_bits)) continue;
        Difference::Particle particle{static_cast<uint32_t>(cloth), static_cast<uint32_t>(i / 4), channel.name, {}, {}};
        std::copy_n(&a[i], 4, particle.reference);
        std::copy_n(&b[i], 4, particle.value);
        return particle;
      }
    }
  }
  return std::nullopt;
}

Difference locate(const Scene& scene, const Configuration& reference, const Configuration& other, uint32_t frame) {
  Difference difference;
  difference.reference = reference.name();
  difference.configuration = other.name();
  difference.frame = frame;
  ComparedRun a(scene, reference), b(scene, other);
  for (uint32_t i = 0; i < frame; ++i) {
    a.simulation.step();
    b.simulation.step();
  }
  difference.particle = first_particle(a, b);
  if (!difference.particle)
    difference.note = a.simulation.hash() == b.simulation.hash() ? "equal when run again: results vary from run to run"
                                                                 : "positions are equal; other state differs";
  return difference;
}

}  // namespace

Comparison compare_scene(const Scene& scene, uint32_t frame_count, const std::vector<Configuration>& configurations,
                         const FrameCallback& frame_done) {
  Comparison comparison;
  std::vector<uint64_t> reference;
  for (const Configuration& configuration : configurations) {
    const std::vector<uint64_t> hashes = frame_hashes(scene, configuration, frame_count, frame_done);
    if (comparison.names.empty()) reference = hashes;
    comparison.names.push_back(configuration.name());
    comparison.hashes.push_back(hashes.empty() ? 0 : hashes.back());
    comparison.frame_count = static_cast<uint32_t>(hashes.size());
    const std::size_t common = std::min(hashes.size(), reference.size());
    const auto part =
        std::mismatch(hashes.begin(), hashes.begin() + static_cast<std::ptrdiff_t>(common), reference.begin());
    const auto frame = static_cast<uint32_t>(part.first - hashes.begin());
    if (frame < common)
      comparison.differences.push_back(locate(scene, configurations.front(), configuration, frame + 1));
    if (hashes.size() < frame_count) break;
  }
  return comparison;
}

}  // namespace clothc_tool
