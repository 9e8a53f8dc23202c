// host_accesses.cpp - see host_accesses.h.
#include "backend_cuda/host_accesses.h"

#include <algorithm>

namespace clothc::cuda {
namespace {

// Number of accesses of a lane that are told apart.
constexpr size_t most_entries = 32;

constexpr size_t index_of(Lane lane) { return static_cast<size_t>(lane); }
constexpr uint32_t bit_of(Lane lane) { return 1u << index_of(lane); }

}  // namespace

HostAccesses::HostAccesses() {
  for (std::vector<Entry>& entries : entries_) entries.reserve(most_entries);
}

void HostAccesses::begin_list(uint64_t value, uint64_t completed) {
  value_ = value;
  for (std::vector<Entry>& entries : entries_) {
    const auto has_ended = [&](const Entry& entry) { return entry.value <= completed; };
    entries.erase(std::remove_if(entries.begin(), entries.end(), has_ended), entries.end());
  }
}

bool HostAccesses::must_wait(Lane lane, Lane other, const HostAccess& access) const {
  const std::vector<Entry>& entries = entries_[index_of(other)];
  return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
    return (entry.followers & bit_of(lane)) == 0 && (entry.access.writes || access.writes) &&
           entry.access.begin < access.end && access.begin < entry.access.end;
  });
}

void HostAccesses::waits(Lane lane, Lane other) {
  for (std::vector<Entry>& entries : entries_) {
    for (Entry& entry : entries) {
      if ((entry.followers & bit_of(other)) != 0) entry.followers |= bit_of(lane);
    }
  }
}

void HostAccesses::add(Lane lane, const HostAccess& access) {
  std::vector<Entry>& entries = entries_[index_of(lane)];
  const Entry fresh = {access, value_, bit_of(lane)};
  if (!entries.empty()) {
    Entry& last = entries.back();
    const bool touches = access.begin <= last.access.end && last.access.begin <= access.end;
    if (touches && last.access.writes == access.writes && last.followers == fresh.followers) {
      last.access.begin = std::min(last.access.begin, access.begin);
      last.access.end = std::max(last.access.end, access.end);
      last.value = value_;
      return;
    }
  }
  if (entries.size() == most_entries) merge(entries);
  entries.push_back(fresh);
}

void HostAccesses::merge(std::vector<Entry>& entries) {
  Entry all = entries.front();
  for (const Entry& entry : entries) {
    all.access.begin = std::min(all.access.begin, entry.access.begin);
    all.access.end = std::max(all.access.end, entry.access.end);
    all.access.writes = all.access.writes || entry.access.writes;
    all.value = std::max(all.value, entry.value);
    all.followers &= entry.followers;
  }
  entries.assign(1, all);
}

void HostAccesses::forget_waits() {
  for (size_t lane = 0; lane < lane_count; ++lane) {
    for (Entry& entry : entries_[lane]) entry.followers = 1u << lane;
  }
}

}  // namespace clothc::cuda
