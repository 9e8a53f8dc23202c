// atomic_forms.cpp - atomic changes of memory: atom, which returns the old value, and red, which does not. They are
// atomic for the host too, because streams run at the same time.
#include <cstring>

#include "cuda/device/ptx/lanes.h"
#include "cuda/device/ptx/places.h"

namespace ptx {
namespace {

template <class T>
T add(T old, T b) {
  return static_cast<T>(old + b);
}
uint32_t add_float(uint32_t old, uint32_t b) {
  float x, y;
  std::memcpy(&x, &old, sizeof(x));
  std::memcpy(&y, &b, sizeof(y));
  x += y;
  if (x != x) return 0x7fffffffu;
  std::memcpy(&old, &x, sizeof(old));
  return old;
}
// Subnormal numbers become a zero of the same sign.
uint32_t flushed(uint32_t bits) { return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits; }
uint32_t add_float_flushed(uint32_t old, uint32_t b) { return flushed(add_float(flushed(old), flushed(b))); }
template <class T>
T both(T old, T b) {
  return old & b;
}
template <class T>
T either(T old, T b) {
  return old | b;
}
template <class T>
T differ(T old, T b) {
  return old ^ b;
}
template <class T>
T exchange(T, T b) {
  return b;
}
template <class T>
T minimum(T old, T b) {
  return b < old ? b : old;
}
template <class T>
T maximum(T old, T b) {
  return b > old ? b : old;
}
// Counts up to b and begins again at zero, or down from b to zero.
uint32_t increment(uint32_t old, uint32_t b) { return old >= b ? 0 : old + 1; }
uint32_t decrement(uint32_t old, uint32_t b) { return old == 0 || old > b ? b : old - 1; }

// Replaces a value by one that depends on it. Returns the old value.
template <class T, class Change>
T change(unsigned char* place, const Change& changed) {
  auto* const value = reinterpret_cast<T*>(place);
  T old = __atomic_load_n(value, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(value, &old, changed(old), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

// The values of a row, which has 32 or 64 bits.
template <class T>
auto* row_of(Warp& warp, uint32_t row) {
  if constexpr (sizeof(T) == 8)
    return warp.wide(row);
  else
    return warp.rows[row].lanes;
}

// Lets each active lane have its turn, and tells whether its place is in global memory. What the block has stored but
// other blocks have not seen is written before.
template <class T, class Function>
void for_each_place(const Instruction& i, Warp& warp, const Function& function) {
  Places places;
  locate(i, warp, AccessKind::atomic, places);
  for_each_lane(warp.active, [&](uint32_t lane) {
    const bool is_global = (places.global_lanes >> lane & 1) != 0;
    if (is_global && warp.block->delayed != nullptr) warp.block->delayed->write(places.address(lane), sizeof(T));
    function(lane, places.of(lane), is_global);
  });
}

// Global memory may have a function of its own.
template <class T, T (*function)(T, T), T (*in_global)(T, T)>
void atom(const Instruction& i, Warp& warp) {
  auto* const result = row_of<T>(warp, i.operands[0]);
  auto* const b = row_of<T>(warp, i.operands[1]);
  for_each_place<T>(i, warp, [&](uint32_t lane, unsigned char* place, bool is_global) {
    const T operand = static_cast<T>(b[lane]);
    const T old =
        change<T>(place, [&](T value) { return is_global ? in_global(value, operand) : function(value, operand); });
    result[lane] = static_cast<std::make_unsigned_t<T>>(old);
  });
}

template <class T, T (*function)(T, T), T (*in_global)(T, T)>
void reduce(const Instruction& i, Warp& warp) {
  auto* const b = row_of<T>(warp, i.operands[0]);
  for_each_place<T>(i, warp, [&](uint32_t lane, unsigned char* place, bool is_global) {
    const T operand = static_cast<T>(b[lane]);
    change<T>(place, [&](T value) { return is_global ? in_global(value, operand) : function(value, operand); });
  });
}

// Writes c if the value is b.
template <class T>
void compare_and_swap(const Instruction& i, Warp& warp) {
  auto* const result = row_of<T>(warp, i.operands[0]);
  auto* const b = row_of<T>(warp, i.operands[1]);
  auto* const c = row_of<T>(warp, i.operands[2]);
  for_each_place<T>(i, warp, [&](uint32_t lane, unsigned char* place, bool) {
    const T expected = b[lane], replacement = c[lane];
    result[lane] = change<T>(place, [&](T value) { return value == expected ? replacement : value; });
  });
}

// Adds a form for each space and each scope. Scopes make no difference here.
void add_spaces(FormTable& table, const char* instruction, const char* operation, const char* operands, uint32_t size,
                Handler handler) {
  Form form;
  form.operands = operands;
  form.size = static_cast<uint8_t>(size);
  form.handlers.fill(handler);
  for (const Space space : {Space::generic, Space::global, Space::shared}) {
    const char* const name = space == Space::generic ? "" : space == Space::global ? ".global" : ".shared";
    for (const char* const scope : {"", ".cta", ".gpu", ".sys"}) {
      form.space = space;
      form.name = std::string(instruction) + name + scope + "." + operation;
      table.add(form);
    }
  }
}

template <class T, T (*function)(T, T), T (*in_global)(T, T) = function>
void add_operation(FormTable& table, const char* operation) {
  add_spaces(table, "atom", operation, sizeof(T) == 8 ? "Dad" : "Waw", sizeof(T), atom<T, function, in_global>);
  add_spaces(table, "red", operation, sizeof(T) == 8 ? "ad" : "aw", sizeof(T), reduce<T, function, in_global>);
}

template <class T, T (*function)(T, T)>
void add_exchange(FormTable& table, const char* operation) {
  add_spaces(table, "atom", operation, sizeof(T) == 8 ? "Dad" : "Waw", sizeof(T), atom<T, function, function>);
}

}  // namespace

void add_atomic_forms(FormTable& table) {
  add_operation<uint32_t, add<uint32_t>>(table, "add.u32");
  add_operation<uint32_t, add<uint32_t>>(table, "add.s32");
  add_operation<uint64_t, add<uint64_t>>(table, "add.u64");
  // The manual says that sums in global memory flush subnormal numbers, and that those in shared memory do not.
  add_operation<uint32_t, add_float, add_float_flushed>(table, "add.f32");
  add_operation<uint32_t, both<uint32_t>>(table, "and.b32");
  add_operation<uint64_t, both<uint64_t>>(table, "and.b64");
  add_operation<uint32_t, either<uint32_t>>(table, "or.b32");
  add_operation<uint64_t, either<uint64_t>>(table, "or.b64");
  add_operation<uint32_t, differ<uint32_t>>(table, "xor.b32");
  add_operation<uint64_t, differ<uint64_t>>(table, "xor.b64");
  add_operation<uint32_t, minimum<uint32_t>>(table, "min.u32");
  add_operation<int32_t, minimum<int32_t>>(table, "min.s32");
  add_operation<uint64_t, minimum<uint64_t>>(table, "min.u64");
  add_operation<int64_t, minimum<int64_t>>(table, "min.s64");
  add_operation<uint32_t, maximum<uint32_t>>(table, "max.u32");
  add_operation<int32_t, maximum<int32_t>>(table, "max.s32");
  add_operation<uint64_t, maximum<uint64_t>>(table, "max.u64");
  add_operation<int64_t, maximum<int64_t>>(table, "max.s64");
  add_operation<uint32_t, increment>(table, "inc.u32");
  add_operation<uint32_t, decrement>(table, "dec.u32");
  add_exchange<uint32_t, exchange<uint32_t>>(table, "exch.b32");
  add_exchange<uint64_t, exchange<uint64_t>>(table, "exch.b64");
  add_spaces(table, "atom", "cas.b32", "Waww", 4, compare_and_swap<uint32_t>);
  add_spaces(table, "atom", "cas.b64", "Dadd", 8, compare_and_swap<uint64_t>);
}

}  // namespace ptx
