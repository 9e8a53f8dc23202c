// checked.h - a number in an arena that records each load and each store of itself. Its layout is that of the plain
// number.
#pragma once

namespace clothc::checked {

// Record an access to the number at this address by the kernel that is running. A kernel reads again, through
// written_tables, what the same job may have written.
void record_read(const void* address);
void record_read_again(const void* address);
void record_write(const void* address);

// A number that is read again.
template <typename T>
class Written {
 public:
  operator T() const {
    record_read_again(this);
    return value_;
  }

 private:
  T value_;
};

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
  // Returns the address of the number as one that is read again.
  const Written<T>* written() const { return reinterpret_cast<const Written<T>*>(this); }
  // Adds like an atomic addition whose old value is not used.
  void count(T more) {
    record_write(this);
    value_ += more;
  }

 private:
  T value_;
};

}  // namespace clothc::checked
