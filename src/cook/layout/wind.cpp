// wind.cpp - owns the places of triangles. In a chain, triangles have the same distances from corner to corner, and have
// places in the order of their first corners. So the triangles of adjacent places have adjacent corners, and the triangles
// around adjacent particles have adjacent places. Where no triangle has the next corner, a place stays empty. In a grid
// that is stored row by row, the two triangles of each quad are in two chains, with an empty place for each row.
#include "cook/layout/wind.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "cook/fabric_data.h"
#include "cook/layout/append.h"

namespace clothc::cook {
namespace {

// Chains are at least this long, and have at most this many empty places between two triangles.
constexpr uint32_t shortest_chain = 2 * lane_padding;
constexpr uint32_t most_empty_places = 3;

// The place in front of all triangles, which rows name for particles that have no triangle there.
constexpr uint32_t empty_place = 0;

// The places of one triangle at each particle of a slice.
using PlaceRow = std::array<uint32_t, lane_padding>;

// Places that the rows of a slice have yet to name, for each particle; the last one is next.
using WaitingPlaces = std::array<std::vector<uint32_t>, lane_padding>;

// The name of a list in an array behind it (WindLayout).
uint32_t distance_to(size_t list, size_t array) { return static_cast<uint32_t>(list - array); }

// Appends an array of rows for each slice, with an offset in front of it for each and one for the end, and names it in the
// layout. rows: [slices] what the words of the rows of each slice are.
void append_rows(const std::vector<std::vector<uint32_t>>& rows, FabricLayout& layout, std::vector<uint32_t>& words) {
  std::vector<uint32_t> fans(rows.size() + 1);
  for (size_t slice = 0; slice < rows.size(); ++slice) {
    fans[slice] = static_cast<uint32_t>(fans.size());
    fans.insert(fans.end(), rows[slice].begin(), rows[slice].end());
  }
  fans[rows.size()] = static_cast<uint32_t>(fans.size());
  layout.wind.fans = append(words, fans);
}

class RunLayout {
 public:
  RunLayout(FabricLayout& layout, std::vector<uint32_t>& words) : layout_(layout), words_(words) {}

  // Returns false, and appends nothing, if few triangles are in chains or many places are empty.
  bool run() {
    const uint32_t count = layout_.triangle_count;
    if (place_chains() < count - count / 4) return false;
    place_others();
    if (triangle_at_.size() > size_t{count} + count / 2) return false;
    layout_.wind.place_count = static_cast<uint32_t>(triangle_at_.size());
    layout_.wind.lists = static_cast<uint32_t>(words_.size());
    append_batches();
    append_fans();
    return true;
  }

 private:
  // A triangle, with the distances from its first corner to the others.
  struct Link {
    uint32_t to_second, to_third, first, triangle;

    bool operator<(const Link& other) const {
      if (to_second != other.to_second) return to_second < other.to_second;
      if (to_third != other.to_third) return to_third < other.to_third;
      return first != other.first ? first < other.first : triangle < other.triangle;
    }
    bool leads_to(const Link& next) const {
      const uint32_t step = next.first - first;
      return to_second == next.to_second && to_third == next.to_third && 0 < step && step <= 1 + most_empty_places;
    }
  };

  uint32_t corner_of(uint32_t triangle, uint32_t corner) const {
    return words_[layout_.triangle_corners + corner * layout_.triangle_stride + triangle];
  }

  // Returns the number of triangles in chains.
  uint32_t place_chains() {
    std::vector<Link> links(layout_.triangle_count);
    for (uint32_t t = 0; t < links.size(); ++t) {
      const uint32_t first = corner_of(t, 0);
      links[t] = {corner_of(t, 1) - first, corner_of(t, 2) - first, first, t};
    }
    std::sort(links.begin(), links.end());
    place_of_.assign(links.size(), empty_place);
    triangle_at_.assign(lane_padding, no_index);
    size_t chained_count = 0;
    for (size_t begin = 0, end; begin < links.size(); begin = end) {
      end = begin + 1;
      while (end < links.size() && links[end - 1].leads_to(links[end])) ++end;
      if (end - begin < shortest_chain) continue;
      const auto base = static_cast<uint32_t>(triangle_at_.size()) - links[begin].first;
      for (size_t k = begin; k < end; ++k) put(links[k].triangle, base + links[k].first);
      fill_batch();
      chained_count += end - begin;
    }
    first_other_place_ = static_cast<uint32_t>(triangle_at_.size());
    return static_cast<uint32_t>(chained_count);
  }

  void place_others() {
    for (uint32_t t = 0; t < layout_.triangle_count; ++t) {
      if (place_of_[t] == empty_place) put(t, static_cast<uint32_t>(triangle_at_.size()));
    }
    fill_batch();
  }

  void put(uint32_t triangle, uint32_t place) {
    triangle_at_.resize(place, no_index);
    triangle_at_.push_back(triangle);
    place_of_[triangle] = place;
  }

  void fill_batch() { triangle_at_.resize(padded(static_cast<uint32_t>(triangle_at_.size())), no_index); }

  void append_batches() {
    std::vector<WindBatch> batches;
    for (uint32_t place = 0; place < triangle_at_.size(); place += lane_padding) batches.push_back(batch_at(place));
    std::vector<uint32_t> batch_words;
    for (const WindBatch& batch : batches) {
      batch_words.push_back(batch.lanes);
      const bool has_lists = (batch.lanes & WindLayout::has_lists) != 0;
      for (const uint32_t corner : batch.corners)
        batch_words.push_back(has_lists ? distance_to(corner, words_.size()) : corner);
    }
    layout_.wind.batches = append(words_, batch_words);
  }

  // The places of 16 triangles: lanes, and for each corner its storage index in the first lane, or the word of its list.
  struct WindBatch {
    uint32_t lanes = 0;
    std::array<uint32_t, 3> corners = {padding_particle, padding_particle, padding_particle};
  };

  WindBatch batch_at(uint32_t first_place) {
    WindBatch batch;
    bool is_run = first_place < first_other_place_;
    for (uint32_t lane = 0; lane < lane_padding; ++lane) {
      const uint32_t triangle = triangle_at_[first_place + lane];
      if (triangle == no_index) continue;
      batch.lanes |= 1u << lane;
      for (uint32_t k = 0; k < 3; ++k) batch.corners[k] = corner_of(triangle, k) - lane;
    }
    // Lanes without a triangle load particles too, but only those of the cloth and the padding in front of them.
    for (const uint32_t corner : batch.corners)
      is_run = is_run && corner + padding_particle_count <= padded(layout_.particle_count);
    if (is_run) return batch;
    batch.lanes |= WindLayout::has_lists;
    for (uint32_t k = 0; k < 3; ++k) {
      std::vector<uint32_t> list(lane_padding, padding_particle);
      for (uint32_t lane = 0; lane < lane_padding; ++lane) {
        const uint32_t triangle = triangle_at_[first_place + lane];
        if (triangle != no_index) list[lane] = corner_of(triangle, k);
      }
      batch.corners[k] = append(words_, list);
    }
    return batch;
  }

  void append_fans() {
    std::vector<std::vector<PlaceRow>> slices;
    for (uint32_t slice = 0; slice < padded(layout_.particle_count) / lane_padding; ++slice)
      slices.push_back(aligned(natural_rows(slice)));
    size_t array = words_.size();
    for (const auto& slice : slices) {
      for (const PlaceRow& row : slice) array += is_run(row) ? 0 : row.size();
    }
    std::vector<std::vector<uint32_t>> rows(slices.size());
    for (size_t slice = 0; slice < slices.size(); ++slice) {
      for (const PlaceRow& row : slices[slice]) {
        rows[slice].push_back(is_run(row) ? row[0] : distance_to(words_.size(), array));
        if (!is_run(row)) words_.insert(words_.end(), row.begin(), row.end());
      }
    }
    append_rows(rows, layout_, words_);
  }

  static bool is_run(const PlaceRow& row) {
    for (uint32_t lane = 1; lane < lane_padding; ++lane) {
      if (row[lane] != row[0] + lane) return false;
    }
    return true;
  }

  // The places of the triangles in the fans of a slice.
  std::vector<PlaceRow> natural_rows(uint32_t slice) const {
    const auto fans = words_.begin() + layout_.particle_fans;
    std::vector<PlaceRow> rows;
    for (uint32_t word = fans[slice]; word < fans[slice + 1]; word += lane_padding) {
      rows.emplace_back();
      std::transform(fans + word, fans + word + lane_padding, rows.back().begin(), [&](uint32_t triangle) {
        return triangle < layout_.triangle_count ? place_of_[triangle] : empty_place;
      });
    }
    return rows;
  }

  // Returns the same places of each particle in the same order, in runs where that takes no more rows.
  std::vector<PlaceRow> aligned(const std::vector<PlaceRow>& rows) const {
    WaitingPlaces waiting;
    size_t count = 0;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      for (uint32_t lane = 0; lane < lane_padding; ++lane) {
        if ((*row)[lane] == empty_place) continue;
        waiting[lane].push_back((*row)[lane]);
        ++count;
      }
    }
    std::vector<PlaceRow> result;
    while (count > 0) {
      const uint32_t first = first_of_best_row(waiting);
      if (first == no_index || result.size() == rows.size()) return rows;
      result.push_back(take_row(first, waiting, count));
    }
    return result;
  }

  // The first place of the run that most particles wait for next, and none wait for later; or no_index.
  static uint32_t first_of_best_row(const WaitingPlaces& waiting) {
    uint32_t best = no_index;
    size_t most = 0;
    for (uint32_t lane = 0; lane < lane_padding && most < lane_padding; ++lane) {
      if (waiting[lane].empty()) continue;
      const uint32_t first = waiting[lane].back() - lane;
      size_t next_count = 0, count = 0;
      for (uint32_t other = 0; other < lane_padding; ++other) {
        const std::vector<uint32_t>& places = waiting[other];
        if (std::find(places.begin(), places.end(), first + other) == places.end()) continue;
        ++count;
        next_count += places.back() == first + other;
      }
      if (count == next_count && count > most) {
        most = count;
        best = first;
      }
    }
    return best;
  }

  PlaceRow take_row(uint32_t first, WaitingPlaces& waiting, size_t& count) const {
    PlaceRow row;
    for (uint32_t lane = 0; lane < lane_padding; ++lane) {
      const uint32_t place = first + lane;
      if (!waiting[lane].empty() && waiting[lane].back() == place) {
        row[lane] = place;
        waiting[lane].pop_back();
        --count;
      } else {
        row[lane] = place < triangle_at_.size() && triangle_at_[place] == no_index ? place : empty_place;
      }
    }
    return row;
  }

  FabricLayout& layout_;
  std::vector<uint32_t>& words_;
  // [places] the triangle there, or no_index.
  std::vector<uint32_t> triangle_at_;
  // [triangles]
  std::vector<uint32_t> place_of_;
  // The first place behind all chains.
  uint32_t first_other_place_ = 0;
};

}  // namespace

void lay_out_wind(FabricLayout& layout, std::vector<uint32_t>& words) {
  if (layout.triangle_count == 0 || RunLayout(layout, words).run()) return;
  lay_out_wind_without_runs(padded(layout.particle_count) / lane_padding, layout, words);
}

void lay_out_wind_without_runs(uint32_t slice_count, FabricLayout& layout, std::vector<uint32_t>& words) {
  if (layout.triangle_count == 0) return;
  layout.wind.place_count = layout.triangle_stride;
  layout.wind.lists = static_cast<uint32_t>(words.size());
  std::vector<uint32_t> batches;
  for (uint32_t place = 0; place < layout.triangle_stride; place += lane_padding) {
    batches.push_back(WindLayout::has_lists | WindLayout::all_lanes);
    for (uint32_t corner = 0; corner < 3; ++corner)
      batches.push_back(distance_to(layout.triangle_corners + corner * layout.triangle_stride + place, words.size()));
  }
  layout.wind.batches = append(words, batches);
  std::vector<std::vector<uint32_t>> rows(slice_count);
  for (uint32_t slice = 0; slice < slice_count; ++slice) {
    const uint32_t fans = layout.particle_fans;
    for (uint32_t word = words[fans + slice]; word < words[fans + slice + 1]; word += lane_padding)
      rows[slice].push_back(distance_to(fans + word, words.size()));
  }
  append_rows(rows, layout, words);
}

}  // namespace clothc::cook
