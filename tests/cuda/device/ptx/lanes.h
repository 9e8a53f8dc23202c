// lanes.h - makes the handlers of a form from a function of the values of one lane. The compiler makes loops of vector
// instructions of them. On x86-64 there is a second set for processors with AVX2, with the same results. With
// PTX_LANEWISE, all handlers go from lane to lane: sanitizers allow no vectors, and take long to compile the loops.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "cuda/device/ptx/forms.h"
#include "cuda/device/ptx/warp.h"

// Functions of a lane's values have to be inlined into loops that are compiled for different processors.
#define PTX_INLINE [[gnu::always_inline]] inline

// The iterations of a loop over lanes are independent: rows are the same or do not overlap.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#define PTX_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define PTX_LOOP _Pragma("GCC ivdep")
#endif

namespace ptx {

// Values that are narrower than a row's words.
struct Byte {
  uint8_t value;
};

alignas(64) constexpr uint32_t lane_bits[lane_count] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

template <class T>
constexpr char operand_letter() {
  if (std::is_same_v<T, bool>) return 'p';
  if (std::is_same_v<T, Byte>) return 'n';
  return sizeof(T) == 2 ? 'h' : sizeof(T) == 4 ? 'w' : 'd';
}

// The operand of an instruction with a value of type T for each lane.
template <class T>
class Lanes {
  using Stored = std::conditional_t<sizeof(T) == 8, Wide, std::conditional_t<std::is_same_v<T, float>, float, Word>>;

 public:
  Lanes(Warp& warp, uint32_t row) : values_(reinterpret_cast<Stored*>(warp.rows + row)) {}

  PTX_INLINE T get(uint32_t lane) const {
    if constexpr (std::is_same_v<T, Byte>)
      return Byte{static_cast<uint8_t>(values_[lane])};
    else
      return static_cast<T>(values_[lane]);
  }
  PTX_INLINE void set(uint32_t lane, T value) { values_[lane] = stored(value); }
  PTX_INLINE void set_if(bool is_active, uint32_t lane, T value) {
    const auto old = values_[lane];
    values_[lane] = is_active ? stored(value) : old;
  }

 private:
  PTX_INLINE static auto stored(T value) {
    if constexpr (sizeof(T) == 2)
      return static_cast<uint32_t>(static_cast<uint16_t>(value));
    else if constexpr (std::is_same_v<T, float>)
      return value;
    else
      return static_cast<std::make_unsigned_t<T>>(value);
  }
  Stored* values_;
};

template <>
class Lanes<bool> {
 public:
  Lanes(Warp& warp, uint32_t predicate) : predicate_(&warp.predicates[predicate]), old_(*predicate_) {}

  PTX_INLINE bool get(uint32_t lane) const { return (old_ & lane_bits[lane]) != 0; }
  PTX_INLINE uint32_t all() const { return old_; }
  PTX_INLINE void set_all(uint32_t active, uint32_t bits) { *predicate_ = (old_ & ~active) | (bits & active); }

 private:
  uint32_t* predicate_;
  uint32_t old_;
};

// The values of a function of predicates for all lanes follow from its table of truth.
template <auto function>
PTX_INLINE uint32_t logic(uint32_t a) {
  return (function(true) ? a : 0) | (function(false) ? ~a : 0);
}
template <auto function>
PTX_INLINE uint32_t logic(uint32_t a, uint32_t b) {
  return (function(true, true) ? a & b : 0) | (function(true, false) ? a & ~b : 0) |
         (function(false, true) ? ~a & b : 0) | (function(false, false) ? ~(a | b) : 0);
}

// The compiler makes vector instructions of a loop that fills an array, but not of one that collects bits.
template <auto function, class... Sources>
PTX_INLINE void execute_predicate(uint32_t active, Lanes<bool> target, Sources... sources) {
  if constexpr ((std::is_same_v<Sources, Lanes<bool>> && ...) && sizeof...(Sources) <= 2) {
    target.set_all(active, logic<function>(sources.all()...));
  } else {
    alignas(64) uint32_t bits[lane_count];
    PTX_LOOP
    for (uint32_t lane = 0; lane < lane_count; ++lane) bits[lane] = function(sources.get(lane)...) ? all_lanes : 0u;
    uint32_t together = 0;
    for (uint32_t lane = 0; lane < lane_count; ++lane) together |= bits[lane] & lane_bits[lane];
    target.set_all(active, together);
  }
}

template <auto function, class Target, class... Sources>
PTX_INLINE void execute_all(Target target, Sources... sources) {
  if constexpr (std::is_same_v<Target, Lanes<bool>>) {
    execute_predicate<function>(all_lanes, target, sources...);
  } else {
    PTX_LOOP
    for (uint32_t lane = 0; lane < lane_count; ++lane) target.set(lane, function(sources.get(lane)...));
  }
}

template <auto function, class Target, class... Sources>
PTX_INLINE void execute_some(uint32_t active, Target target, Sources... sources) {
  if constexpr (std::is_same_v<Target, Lanes<bool>>) {
    execute_predicate<function>(active, target, sources...);
  } else {
    PTX_LOOP
    for (uint32_t lane = 0; lane < lane_count; ++lane) {
      target.set_if((active & lane_bits[lane]) != 0, lane, function(sources.get(lane)...));
    }
  }
}

template <auto function, class Target, class... Sources>
PTX_INLINE void execute_few(uint32_t active, Target target, Sources... sources) {
  if constexpr (std::is_same_v<Target, Lanes<bool>>) {
    uint32_t bits = 0;
    for_each_lane(active, [&](uint32_t lane) { bits |= function(sources.get(lane)...) ? lane_bits[lane] : 0; });
    target.set_all(active, bits);
  } else {
    for_each_lane(active, [&](uint32_t lane) { target.set(lane, function(sources.get(lane)...)); });
  }
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(PTX_LANEWISE)
#define PTX_HAS_AVX2 1
inline bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#endif

// The handlers of a function that takes the values of a lane and returns that of the destination.
template <auto function, class Signature = decltype(function)>
struct Elementwise;

template <auto function, class Result, class... Arguments>
struct Elementwise<function, Result (*)(Arguments...)> {
  template <size_t... n>
  struct For {
    static void all(const Instruction& i, Warp& warp) {
      execute_all<function>(Lanes<Result>(warp, i.operands[0]), Lanes<Arguments>(warp, i.operands[n + 1])...);
    }
    static void some(const Instruction& i, Warp& warp) {
      execute_some<function>(warp.active, Lanes<Result>(warp, i.operands[0]),
                             Lanes<Arguments>(warp, i.operands[n + 1])...);
    }
    static void few(const Instruction& i, Warp& warp) {
      execute_few<function>(warp.active, Lanes<Result>(warp, i.operands[0]),
                            Lanes<Arguments>(warp, i.operands[n + 1])...);
    }
#if PTX_HAS_AVX2
    [[gnu::target("avx2,fma")]] static void all_avx2(const Instruction& i, Warp& warp) {
      execute_all<function>(Lanes<Result>(warp, i.operands[0]), Lanes<Arguments>(warp, i.operands[n + 1])...);
    }
    [[gnu::target("avx2,fma")]] static void some_avx2(const Instruction& i, Warp& warp) {
      execute_some<function>(warp.active, Lanes<Result>(warp, i.operands[0]),
                             Lanes<Arguments>(warp, i.operands[n + 1])...);
    }
#endif
    static Handlers handlers() {
#if PTX_HAS_AVX2
      if (has_avx2()) return {all_avx2, some_avx2, few};
#endif
      return {all, some, few};
    }
  };

  template <size_t... n>
  static Handlers handlers([[maybe_unused]] std::index_sequence<n...> indices) {
#if defined(PTX_LANEWISE)
    return rare_handlers(indices);
#else
    return For<n...>::handlers();
#endif
  }
  template <size_t... n>
  static Handlers rare_handlers(std::index_sequence<n...>) {
    return {For<n...>::few, For<n...>::few, For<n...>::few};
  }
  // The form without its handlers.
  static Form form(const char* name) {
    Form form;
    form.name = name;
    form.operands = {static_cast<char>(operand_letter<Result>() - 'a' + 'A'), operand_letter<Arguments>()...};
    return form;
  }
  using Indices = std::index_sequence_for<Arguments...>;
};

template <auto function>
void FormTable::add(const char* name) {
  using Made = Elementwise<function>;
  Form form = Made::form(name);
  form.handlers = Made::handlers(typename Made::Indices());
  add(form);
}

template <auto function>
void FormTable::add_rare(const char* name) {
  using Made = Elementwise<function>;
  Form form = Made::form(name);
  form.handlers = Made::rare_handlers(typename Made::Indices());
  add(form);
}

}  // namespace ptx
