// changed_list.h - the objects of a kind that wait for something, so that an update visits these and not all others. An
// object is in the list once at most, and goes in and out in constant time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clothc {

// T has a member `uint32_t changed_position`, 0 at first: its position in the list plus one, or 0 if it is not in it.
template <class T>
class ChangedList {
 public:
  // Makes sure that `add` does not allocate while the list holds at most this many objects.
  void reserve(size_t count) {
    if (objects_.capacity() < count) objects_.reserve(2 * count + 8);
  }
  // Needs no memory, if `reserve` was called for the number of all objects.
  void add(T& object) {
    if (object.changed_position != 0) return;
    objects_.push_back(&object);
    object.changed_position = static_cast<uint32_t>(objects_.size());
  }
  void remove(T& object) {
    if (object.changed_position == 0) return;
    T* const last = objects_.back();
    objects_[object.changed_position - 1] = last;
    last->changed_position = object.changed_position;
    objects_.pop_back();
    object.changed_position = 0;
  }
  // Removes the objects for which is_done returns true. is_done is called once for each.
  template <class Condition>
  void remove_if(Condition is_done) {
    for (size_t k = objects_.size(); k-- > 0;) {
      if (is_done(*objects_[k])) remove(*objects_[k]);
    }
  }
  typename std::vector<T*>::const_iterator begin() const { return objects_.begin(); }
  typename std::vector<T*>::const_iterator end() const { return objects_.end(); }
  size_t size() const { return objects_.size(); }

 private:
  std::vector<T*> objects_;
};

}  // namespace clothc
