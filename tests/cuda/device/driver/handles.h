// handles.h - tables that give each object a handle. No handle is used twice, so one of an object that was destroyed is
// always recognised, and no program can look into an object through its handle.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <type_traits>

namespace clothc::cuda_device {

template <typename Handle, typename Object>
class Table {
 public:
  using Pointer = std::shared_ptr<Object>;

  // The kind makes handles of different tables different.
  explicit Table(uint64_t kind) : next_((kind + 1) << 40) {}

  Handle add(Pointer object) {
    next_ += 16;
    objects_.emplace(next_, std::move(object));
    return to_handle(next_);
  }

  // Returns null for an unknown handle.
  Pointer find(Handle handle) const {
    const auto found = objects_.find(to_number(handle));
    return found == objects_.end() ? nullptr : found->second;
  }

  void remove(Handle handle) { objects_.erase(to_number(handle)); }

  template <typename Predicate>
  size_t remove_if(Predicate predicate) {
    size_t count = 0;
    for (auto entry = objects_.begin(); entry != objects_.end();) {
      const bool goes = predicate(*entry->second);
      count += goes;
      entry = goes ? objects_.erase(entry) : std::next(entry);
    }
    return count;
  }

  template <typename Visitor>
  void for_each(Visitor visitor) const {
    for (const auto& entry : objects_) visitor(entry.second);
  }

  size_t size() const { return objects_.size(); }

 private:
  static Handle to_handle(uint64_t number) {
    if constexpr (std::is_pointer_v<Handle>) {
      return reinterpret_cast<Handle>(number);
    } else {
      return static_cast<Handle>(number);
    }
  }
  static uint64_t to_number(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>) {
      return reinterpret_cast<uint64_t>(handle);
    } else {
      return static_cast<uint64_t>(handle);
    }
  }

  std::map<uint64_t, Pointer> objects_;
  uint64_t next_;
};

}  // namespace clothc::cuda_device
