// stage_plot.cpp - see stage_plot.h.
#include "window/stage_plot.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "window/widgets.h"

namespace clothc_viewer {
namespace {

struct Part {
  float value;
  ImU32 colour;
};
using Bar = std::vector<Part>;

// The least of these parts of a power of ten that is not below the value.
float rounded_up(float value) {
  const float power = std::pow(10.0f, std::floor(std::log10(std::max(value, 1e-4f))));
  for (const float factor : {1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 8.0f})
    if (value <= factor * power) return factor * power;
  return 10 * power;
}

// Single bars that are much higher than the others, as those of the first updates are, leave the plot at its top.
float top_of(const std::vector<Bar>& bars) {
  std::vector<float> sums;
  for (const Bar& bar : bars) {
    float sum = 0;
    for (const Part& part : bar) sum += part.value;
    sums.push_back(sum);
  }
  if (sums.empty()) return 1;
  const auto nearly_all = sums.begin() + static_cast<ptrdiff_t>((sums.size() - 1) * 95 / 100);
  std::nth_element(sums.begin(), nearly_all, sums.end());
  return rounded_up(1.15f * *nearly_all);
}

std::string plotted_time(double milliseconds) {
  return milliseconds < 1000 ? formatted("%.3g ms", milliseconds) : formatted("%.3g s", milliseconds / 1000);
}

// The last bar is at the right end. Two lines divide the height into halves and tell what they stand for.
void draw_bars(const std::vector<Bar>& bars, float height) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 high = {low.x + width, low.y + height};
  list.AddRectFilled(low, high, packed({0, 0, 0, 0.25f}), scaled(3));
  list.PushClipRect(low, high, true);
  const float top = top_of(bars), step = width / TimesHistory::MOST;
  for (size_t i = 0; i < bars.size(); ++i) {
    const float right = high.x - static_cast<float>(bars.size() - 1 - i) * step;
    float y = high.y;
    for (const Part& part : bars[i]) {
      const float above = y - part.value / top * height;
      list.AddRectFilled({right - step, above}, {right, y}, part.colour);
      y = above;
    }
  }
  for (const float share : {1.0f, 0.5f}) {
    const float y = high.y - share * height;
    const std::string text = plotted_time(static_cast<double>(share * top));
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    list.AddLine({low.x, y}, {high.x, y}, packed({1, 1, 1, 0.18f}));
    list.AddRectFilled({low.x, y + 1}, {low.x + size.x + scaled(8), y + size.y + scaled(2)},
                       packed(palette::PANEL, 0.75f));
    list.AddText({low.x + scaled(4), y + scaled(1)}, packed(palette::TEXT), text.c_str());
  }
  list.PopClipRect();
  ImGui::Dummy({width, height});
}

}  // namespace

ImU32 stage_colour(size_t stage) {
  // Neighbours in the order of stages differ in hue and in lightness.
  constexpr ImU32 colours[] = {IM_COL32(176, 182, 190, 255), IM_COL32(156, 117, 95, 255),  IM_COL32(78, 121, 167, 255),
                               IM_COL32(118, 206, 216, 255), IM_COL32(225, 87, 89, 255),   IM_COL32(255, 157, 167, 255),
                               IM_COL32(89, 161, 79, 255),   IM_COL32(242, 142, 43, 255),  IM_COL32(157, 118, 182, 255),
                               IM_COL32(237, 201, 72, 255),  IM_COL32(64, 132, 124, 255),  IM_COL32(160, 203, 232, 255),
                               IM_COL32(211, 114, 149, 255), IM_COL32(121, 112, 110, 255), IM_COL32(140, 209, 125, 255),
                               IM_COL32(250, 191, 210, 255), IM_COL32(91, 140, 255, 255)};
  static_assert(std::size(colours) == CLOTHC_STAGE_COUNT, "each stage has a colour");
  return colours[stage];
}

void draw_stage_plot(const TimesHistory& times, float height) {
  std::vector<Bar> bars;
  for (const UpdateTimes& update : times.updates()) {
    Bar bar;
    for (size_t stage = 0; stage < update.stages.size(); ++stage)
      if (update.stages[stage] > 0) bar.push_back({update.stages[stage], stage_colour(stage)});
    bars.push_back(std::move(bar));
  }
  draw_bars(bars, height);
}

void draw_frame_plot(const TimesHistory& times, float height) {
  std::vector<Bar> bars;
  for (const DrawnFrame& frame : times.frames()) {
    const double simulate = frame.times.simulate_device.value_or(frame.times.simulate_host);
    const double draw = frame.times.draw_device.value_or(frame.times.draw_host);
    bars.push_back(
        {{static_cast<float>(simulate), packed(SIMULATE_COLOUR)}, {static_cast<float>(draw), packed(DRAW_COLOUR)}});
  }
  draw_bars(bars, height);
}

}  // namespace clothc_viewer
