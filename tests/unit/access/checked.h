// checked.h - a number in an arena that records each load and each store of itself. Its layout is that of the plain
// number.
#pragma once

namespace clothc::checked {

// Record an access to the number at this address by the kernel that is running.
void record_read(const void* address);
void record_write(const void* address);

template <typename T>
class Checked {
 public:
  constexpr Checked(T value) : value_(value) {}
  Checked(const Checked&) = delete;
  constexpr operator T() const {
    if (!__builtin_is_constant_evaluated()) record_read(this);
    return value_;
  }
  Checked& operator=(T value) {
    record_write(this);
    value_ = value;
    return *this;
  }
  Checked& operator=(const Checked& other) { return *this = static_cast<T>(other); }
  // Adds like an atomic addition whose old value is not used.
  void count(T more) {
    record_write(this);
    value_ += more;
  }

 private:
  T value_;
};

}  // namespace clothc::checked
