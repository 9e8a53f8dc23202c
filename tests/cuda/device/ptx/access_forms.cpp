// access_forms.cpp - loads and stores, of one, two or four elements.
#include <cstring>

#include "cuda/device/ptx/lanes.h"
#include "cuda/device/ptx/places.h"

namespace ptx {
namespace {

constexpr uint32_t largest_access = 16;

// What the lanes access if the stores of their block are delayed.
using Copies = unsigned char[lane_count][largest_access];

// Reads an element for each active lane, and extends it to the size of the register.
template <class T, class Stored, class Register>
void load_element(Warp& warp, Stored* row, const Places& places, size_t offset) {
  const auto load_lane = [&](uint32_t lane) {
    T value;
    std::memcpy(&value, places.of(lane) + offset, sizeof(value));
    row[lane] = static_cast<Register>(value);
  };
  if (warp.active == all_lanes) {
    for (uint32_t lane = 0; lane < lane_count; ++lane) load_lane(lane);
  } else {
    for_each_lane(warp.active, load_lane);
  }
}

// Copies what the lanes load from global memory, together with what their block has stored there.
void overlay(const Instruction& i, Warp& warp, Places& places, Copies& copies) {
  const uint32_t bytes = uint32_t{i.form->size} * i.form->count;
  for_each_lane(warp.active & places.global_lanes, [&](uint32_t lane) {
    std::memcpy(copies[lane], places.of(lane), bytes);
    warp.block->delayed->overlay(places.address(lane), copies[lane], bytes);
    places.set(lane, copies[lane]);
  });
}

template <class T>
void load(const Instruction& i, Warp& warp) {
  Places places;
  Copies copies;
  locate(i, warp, AccessKind::read, places);
  if (warp.block->delayed != nullptr) overlay(i, warp, places, copies);
  for (uint32_t k = 0; k < i.form->count; ++k) {
    Word* const row = warp.rows[i.operands[k]].lanes;
    const size_t offset = k * sizeof(T);
    if (i.register_kind == 'd')
      load_element<T, Wide, uint64_t>(warp, warp.wide(i.operands[k]), places, offset);
    else if (i.register_kind == 'w')
      load_element<T, Word, uint32_t>(warp, row, places, offset);
    else
      load_element<T, Word, uint16_t>(warp, row, places, offset);
  }
}

// Writes the low bytes of a register for each active lane.
template <class T, class Stored>
void store_element(Warp& warp, const Stored* row, const Places& places, size_t offset) {
  for_each_lane(warp.active, [&](uint32_t lane) {
    const T value = static_cast<T>(row[lane]);
    std::memcpy(places.of(lane) + offset, &value, sizeof(value));
  });
}

template <class T>
void store(const Instruction& i, Warp& warp) {
  Places places;
  Copies copies;
  uint64_t addresses[lane_count];
  locate(i, warp, AccessKind::write, places);
  const uint32_t delayed_lanes = warp.block->delayed != nullptr ? warp.active & places.global_lanes : 0;
  for_each_lane(delayed_lanes, [&](uint32_t lane) {
    addresses[lane] = places.address(lane);
    places.set(lane, copies[lane]);
  });
  for (uint32_t k = 0; k < i.form->count; ++k) {
    const size_t offset = k * sizeof(T);
    if (i.register_kind == 'd')
      store_element<T>(warp, warp.wide(i.operands[k]), places, offset);
    else
      store_element<T>(warp, warp.rows[i.operands[k]].lanes, places, offset);
  }
  for_each_lane(delayed_lanes, [&](uint32_t lane) {
    warp.block->delayed->store(addresses[lane], copies[lane], uint32_t{i.form->size} * i.form->count);
  });
}

// Makes the stores of the block visible to other blocks.
void fence(const Instruction&, Warp& warp) {
  if (warp.block->delayed != nullptr) warp.block->delayed->write_all();
}

// A fence within a block, whose threads see its stores at once.
void nothing(const Instruction&, Warp&) {}

struct Prefix {
  const char* name;
  Space space;
};

constexpr Prefix loads[] = {{"ld", Space::generic},
                            {"ld.volatile", Space::generic},
                            {"ld.global", Space::global},
                            {"ld.global.nc", Space::global},
                            {"ld.global.ca", Space::global},
                            {"ld.global.cg", Space::global},
                            {"ld.volatile.global", Space::global},
                            {"ld.shared", Space::shared},
                            {"ld.volatile.shared", Space::shared},
                            {"ld.local", Space::local},
                            {"ld.param", Space::parameter}};

constexpr Prefix stores[] = {{"st", Space::generic},
                             {"st.volatile", Space::generic},
                             {"st.global", Space::global},
                             {"st.global.cg", Space::global},
                             {"st.volatile.global", Space::global},
                             {"st.shared", Space::shared},
                             {"st.volatile.shared", Space::shared},
                             {"st.local", Space::local}};

Form form_of(const Prefix& prefix, const char* operands) {
  Form form;
  form.name = prefix.name;
  form.space = prefix.space;
  form.operands = operands;
  return form;
}

// Adds the vectors of an element type, of at most 16 bytes.
void add_vectors(FormTable& table, const Form& base, const std::string& type, uint32_t size, Handler handler) {
  for (const uint32_t count : {1u, 2u, 4u}) {
    if (size * count > largest_access) continue;
    Form form = base;
    form.name += (count == 1 ? "" : ".v" + std::to_string(count)) + "." + type;
    form.size = static_cast<uint8_t>(size);
    form.count = static_cast<uint8_t>(count);
    form.handlers.fill(handler);
    table.add(form);
  }
}

template <class T>
void add_type(FormTable& table, const std::string& type) {
  for (const Prefix& prefix : loads) add_vectors(table, form_of(prefix, "Ra"), type, sizeof(T), load<T>);
  for (const Prefix& prefix : stores) {
    add_vectors(table, form_of(prefix, "ar"), type, sizeof(T), store<std::make_unsigned_t<T>>);
  }
}

void add_fence(FormTable& table, const char* name, Handler handler) {
  Form form;
  form.name = name;
  form.handlers.fill(handler);
  table.add(form);
}

}  // namespace

void add_access_forms(FormTable& table) {
  for (const char* type : {"u8", "b8"}) add_type<uint8_t>(table, type);
  add_type<int8_t>(table, "s8");
  for (const char* type : {"u16", "b16"}) add_type<uint16_t>(table, type);
  add_type<int16_t>(table, "s16");
  for (const char* type : {"u32", "b32", "f32"}) add_type<uint32_t>(table, type);
  add_type<int32_t>(table, "s32");
  for (const char* type : {"u64", "b64", "s64"}) add_type<uint64_t>(table, type);
  for (const char* name : {"membar.cta", "fence.acq_rel.cta", "fence.sc.cta"}) add_fence(table, name, nothing);
  for (const char* name :
       {"membar.gl", "membar.sys", "fence.acq_rel.gpu", "fence.sc.gpu", "fence.acq_rel.sys", "fence.sc.sys"}) {
    add_fence(table, name, fence);
  }
}

}  // namespace ptx
