// checked.h - a number in an arena that notes each load and each store of it, laid out as the number alone.
#pragma once

namespace clothc::checked {

// Note an access to the number at this address by the kernel that runs.
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
  // As an atomic addition, whose old value nobody sees.
  void count(T more) {
    record_write(this);
    value_ += more;
  }

 private:
  T value_;
};

}  // namespace clothc::checked
