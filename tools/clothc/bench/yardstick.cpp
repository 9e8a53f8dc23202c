// yardstick.cpp - measures the yardsticks.
#include "bench/yardstick.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "bench/processors.h"
#include "bench/yardstick_sheet.h"

namespace clothc_tool {
namespace {

constexpr int kRepetitions = 5;

template <typename Function>
double seconds(Function function) {
  const auto begin = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

#if defined(CLOTHC_HAVE_YARDSTICK_AVX2)

EdgeYardstick::EdgeYardstick(std::vector<uint32_t> processors) : processors_(std::move(processors)) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    sheet_ = std::make_unique<YardstickSheet>();
  else
    reason_ = "this processor has no AVX2";
}

double EdgeYardstick::measure_burst() {
  constexpr int kSweeps = 21;
  constexpr float kStiffness = 0.8f;
  sheet_->reset();
  const double time = seconds([this] {
    for (int sweep = 0; sweep < kSweeps; ++sweep)
      for (std::size_t colour = 0; colour + 1 < sheet_->colour_begins.size(); ++colour)
        solve_yardstick_edges_avx2(sheet_->particles(), sheet_->first.data(), sheet_->second.data(),
                                   sheet_->rest_lengths.data(), sheet_->colour_begins[colour],
                                   sheet_->colour_begins[colour + 1], kStiffness);
  });
  return time * 1e9 / kSweeps / sheet_->constraint_count;
}

#else

EdgeYardstick::EdgeYardstick() : reason_("this build has no AVX2 (it is not for x86-64)") {}
double EdgeYardstick::measure_burst() { return 0; }

#endif

EdgeYardstick::~EdgeYardstick() = default;

double EdgeYardstick::measure() {
  if (processors_.empty()) return measure_here();
  const std::size_t count = std::min<std::size_t>(processors_.size(), 4);
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const OnProcessors there({processors_[k]});
    sum += measure_here();
  }
  return sum / static_cast<double>(count);
}

double EdgeYardstick::measure_here() {
  // Loads the sheet into the cache.
  measure_burst();
  std::array<double, kRepetitions> bursts;
  for (double& burst : bursts) burst = measure_burst();
  std::sort(bursts.begin(), bursts.end());
  return bursts[kRepetitions / 2];
}

double measure_triad() {
  constexpr std::size_t kCount = std::size_t{1} << 24;
  std::vector<float> a(kCount, 0.0f), b(kCount, 1.0f), c(kCount, 2.0f);
  volatile float factor_source = 3.0f;
  double best = 1e30;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    const float factor = factor_source;
    best = std::min(best, seconds([&] {
                      for (std::size_t i = 0; i < kCount; ++i) a[i] = b[i] + factor * c[i];
                    }));
    // Uses the result, so that the compiler cannot remove the loop.
    factor_source = a[kCount / 2];
  }
  return 3.0 * sizeof(float) * kCount / best * 1e-9;
}

double measure_add_chain() {
  constexpr int kCount = 2000000;
  volatile float step_source = 1e-3f;
  volatile float sink = 0;
  double best = 1e30;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    const float step = step_source;
    float sum = sink;
    best = std::min(best, seconds([&] {
                      for (int i = 0; i < kCount; ++i) sum += step;
                      sink = sum;
                    }));
  }
  return best * 1e9 / kCount;
}

}  // namespace clothc_tool
