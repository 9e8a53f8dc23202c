// move_forms.cpp - moves between registers, which may take a register apart or put one together, and conversions of
// addresses between the generic space and others. Forms that end in ".pack" and ".unpack" are those with braces around
// one operand; the parser chooses them.
#include "cuda/device/ptx/lanes.h"
#include "cuda/device/ptx/windows.h"

namespace ptx {
namespace {

template <class T>
PTX_INLINE T copy(T a) {
  return a;
}

PTX_INLINE uint64_t pack(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }
PTX_INLINE uint32_t pack_halves(uint16_t low, uint16_t high) { return uint32_t{high} << 16 | low; }
PTX_INLINE uint32_t low_word(uint64_t a) { return static_cast<uint32_t>(a); }
PTX_INLINE uint32_t high_word(uint64_t a) { return static_cast<uint32_t>(a >> 32); }
PTX_INLINE uint16_t low_half(uint32_t a) { return static_cast<uint16_t>(a); }
PTX_INLINE uint16_t high_half(uint32_t a) { return static_cast<uint16_t>(a >> 16); }

// Writes the low and the high part of the third operand to the first two.
template <class Part, class Whole, Part (*low)(Whole), Part (*high)(Whole)>
void unpack(const Instruction& i, Warp& warp) {
  Lanes<Part> to_low(warp, i.operands[0]), to_high(warp, i.operands[1]);
  const Lanes<Whole> from(warp, i.operands[2]);
  for_each_lane(warp.active, [&](uint32_t lane) {
    const Whole whole = from.get(lane);
    to_low.set(lane, low(whole));
    to_high.set(lane, high(whole));
  });
}

template <uint64_t window>
PTX_INLINE uint64_t to_generic(uint64_t address) {
  return address + window;
}
template <uint64_t window>
PTX_INLINE uint64_t from_generic(uint64_t address) {
  return address - window;
}

}  // namespace

void add_move_forms(FormTable& table) {
  table.add<copy<bool>>("mov.pred");
  for (const char* name : {"mov.b16", "mov.u16", "mov.s16"}) table.add<copy<uint16_t>>(name);
  for (const char* name : {"mov.b32", "mov.u32", "mov.s32", "mov.f32"}) table.add<copy<uint32_t>>(name);
  for (const char* name : {"mov.b64", "mov.u64", "mov.s64"}) table.add<copy<uint64_t>>(name);
  table.add<pack>("mov.b64.pack");
  table.add<pack_halves>("mov.b32.pack");
  Form form;
  form.name = "mov.b64.unpack";
  form.operands = "WWd";
  form.handlers.fill(unpack<uint32_t, uint64_t, low_word, high_word>);
  table.add(form);
  form.name = "mov.b32.unpack";
  form.operands = "HHw";
  form.handlers.fill(unpack<uint16_t, uint32_t, low_half, high_half>);
  table.add(form);
  for (const char* name : {"cvta.global.u64", "cvta.to.global.u64"}) table.add<copy<uint64_t>>(name);
  table.add<to_generic<shared_window>>("cvta.shared.u64");
  table.add<to_generic<local_window>>("cvta.local.u64");
  table.add<to_generic<parameter_window>>("cvta.param.u64");
  table.add<from_generic<shared_window>>("cvta.to.shared.u64");
  table.add<from_generic<local_window>>("cvta.to.local.u64");
  table.add<from_generic<parameter_window>>("cvta.to.param.u64");
}

}  // namespace ptx
