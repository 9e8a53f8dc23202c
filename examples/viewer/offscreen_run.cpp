// offscreen_run.cpp - see offscreen_run.h.
#include "offscreen_run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "picture/vulkan/conversion.h"
#include "render/offscreen.h"

namespace clothc_viewer {
namespace {

using Clock = std::chrono::steady_clock;

// Milliseconds of each frame.
struct Times {
  std::vector<double> simulate, simulate_on_device, draw, draw_on_device;
  uint64_t host_copied_bytes = 0;
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::string on_device(const std::vector<double>& values) {
  char text[48] = "";
  if (!values.empty()) std::snprintf(text, sizeof text, ", %.2f ms of it on the device", median(values));
  return text;
}

void print_times(Viewer& viewer, const clothc_renderer::Graphics& graphics, const Times& times) {
  auto device = clothc::initialised<clothc_device_info>();
  clothc::check(clothc_device_get_info(viewer.source().device(), &device));
  const size_t frame_count = times.draw.size();
  std::printf("%s: %zu frames, medians\n", viewer.source().name().c_str(), frame_count);
  std::printf("  simulate %.2f ms%s, %s%s\n", median(times.simulate), on_device(times.simulate_on_device).c_str(),
              device.name, viewer.is_adopted() ? ", the renderer's own" : "");
  std::printf("  draw     %.2f ms%s, %s\n", median(times.draw), on_device(times.draw_on_device).c_str(),
              graphics.properties().deviceName);
  std::printf("  particle data copied by the host: %llu bytes per frame\n",
              static_cast<unsigned long long>(frame_count ? times.host_copied_bytes / frame_count : 0));
}

}  // namespace

void run_offscreen(Viewer& viewer, const clothc_renderer::Graphics& graphics, const Options& options) {
  const uint32_t width = options.width ? options.width : 960, height = options.height ? options.height : 540;
  clothc_renderer::Offscreen offscreen(graphics, width, height);
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  const uint32_t frame_count = options.frame_count ? options.frame_count : viewer.source().frame_count();
  const auto draw = [&](const clothc_renderer::Camera& camera) {
    return offscreen.draw(camera, [&](auto& frame, auto& list) { viewer.add(frame, list); });
  };
  const clothc_renderer::Camera camera = viewer.source().camera(aspect);
  Times times;
  viewer.set_timers(options.times);
  while (viewer.source().frame() < frame_count) {
    auto begin = Clock::now();
    if (!viewer.step()) break;
    if (!options.times) continue;
    // So that the two halves of a frame do not overlap.
    clothc::check(clothc_solver_wait(viewer.source().solver(), UINT64_MAX, CLOTHC_WAIT_FOREVER));
    times.simulate.push_back(milliseconds_since(begin));
    if (const auto timers = viewer.timers())
      times.simulate_on_device.push_back(static_cast<double>(timers->total_ns) / 1e6);
    begin = Clock::now();
    draw(camera);
    times.draw.push_back(milliseconds_since(begin));
    if (const auto milliseconds = offscreen.milliseconds()) times.draw_on_device.push_back(*milliseconds);
    times.host_copied_bytes += viewer.host_copied_bytes();
  }
  if (options.times) print_times(viewer, graphics, times);
  if (options.png.empty()) return;
  // What a capture shows may have gone elsewhere since the begin.
  const auto picture = draw(viewer.source().camera(aspect));
  clothc_tool::write_png(options.png, clothc_tool::to_image(picture));
}

}  // namespace clothc_viewer
