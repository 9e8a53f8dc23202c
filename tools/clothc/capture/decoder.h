// decoder.h - fills in the arguments of a call from an event, as the encoder wrote them (record/encoder.h). Handles and
// ids become those of the replay. Arrays are as long as the library will read them, or the event is damaged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "capture/generated/calls.h"
#include "capture/objects.h"
#include "capture/reader.h"

namespace clothc_tool {

class Decoder {
 public:
  Decoder(CaptureBytes& bytes, CapturedObjects& objects) : bytes_(bytes), objects_(objects) {}

  // False if the recorder could not read all arguments, so that the call cannot be made.
  bool is_readable() const { return readable_; }

  // Notes what the call has made. To be called after it has succeeded.
  void add_created() {
    for (const auto& add : created_) add->run(objects_);
  }
  uint64_t recorded_solver() const { return solver_; }

  template <class T>
  void value(T& value) {
    bytes_.copy(&value, sizeof value);
  }
  template <class Handle>
  void handle(Handle& handle) {
    uint64_t recorded = 0;
    if (in_struct_) {
      // In structs, handles stand in the bytes themselves.
      recorded = reinterpret_cast<uintptr_t>(handle);
    } else {
      value(recorded);
    }
    handle = objects_.handle<Handle>(recorded);
    if constexpr (std::is_same_v<Handle, clothc_solver>) solver_ = recorded;
  }
  void cloth(uint32_t& id) { mapped_id(id, CapturedObjects::IdKind::cloth); }
  void collider_set(uint32_t& id) { mapped_id(id, CapturedObjects::IdKind::collider_set); }
  void asset(uint32_t& id) { mapped_id(id, CapturedObjects::IdKind::asset); }

  template <class T>
  void array(const T*& array, uint64_t size) {
    array = static_cast<const T*>(array_of(size));
  }
  template <class Handle>
  void handles(const Handle*& handles, uint64_t count) {
    auto* const mapped = static_cast<Handle*>(array_of(product({count, sizeof(void*)})));
    for (uint64_t i = 0; mapped && i < count; ++i) {
      mapped[i] = objects_.handle<Handle>(reinterpret_cast<uintptr_t>(mapped[i]));
    }
    handles = mapped;
  }
  void cloths(const uint32_t*& ids, uint64_t count) { mapped_ids(ids, count, CapturedObjects::IdKind::cloth); }
  void collider_sets(const uint32_t*& ids, uint64_t count) {
    mapped_ids(ids, count, CapturedObjects::IdKind::collider_set);
  }
  void assets(const uint32_t*& ids, uint64_t count) { mapped_ids(ids, count, CapturedObjects::IdKind::asset); }

  template <class Struct>
  void record(const Struct*& record) {
    record = nullptr;
    const uint32_t size = begin_struct<Struct>();
    if (size == 0) return;
    auto* const made = static_cast<uint8_t*>(memory(sizeof(Struct)));
    element<Struct>(made, size);
    check_size<Struct>(made, size);
    record = reinterpret_cast<const Struct*>(made);
  }
  template <class Struct>
  void records(const Struct*& records, uint64_t count) {
    records = nullptr;
    const uint32_t stride = begin_struct<Struct>();
    if (stride == 0) return;
    if (product({count, stride}) > bytes_.remaining()) bytes_.fail("it has fewer structs than it says");
    // The library reads count times stride bytes. The memory behind these serves structs that are shorter than today's.
    auto* const made = static_cast<uint8_t*>(memory(count * stride + sizeof(Struct)));
    for (uint64_t i = 0; i < count; ++i) element<Struct>(made + i * stride, stride);
    check_size<Struct>(made, stride);
    records = reinterpret_cast<const Struct*>(made);
  }

  template <class Handle>
  void created(Handle*& object) {
    object = nullptr;
    const bool wanted = flag();
    const auto recorded = bytes_.value<uint64_t>();
    if (!wanted) return;
    auto* const made = static_cast<Handle*>(memory(sizeof(void*)));
    created_.push_back(std::make_unique<CreatedHandle<Handle>>(recorded, made));
    object = made;
  }
  void created_cloth(uint32_t*& id) { created_id(id, CapturedObjects::IdKind::cloth); }
  void created_collider_set(uint32_t*& id) { created_id(id, CapturedObjects::IdKind::collider_set); }
  void created_asset(uint32_t*& id) { created_id(id, CapturedObjects::IdKind::asset); }

  template <class T>
  void output(T*& pointer) {
    pointer = flag() ? static_cast<T*>(memory(sizeof(T))) : nullptr;
  }
  // The length of an array that the call writes. The player gives no more than a solver can have elements.
  template <class T>
  void length(T*& pointer, T& given) {
    output(pointer);
    given = static_cast<T>(std::min<uint64_t>(bytes_.value<uint64_t>(), MOST_OUTPUTS));
    if (pointer) *pointer = given;
  }
  template <class T>
  void output_array(T*& array, uint64_t count) {
    array = flag() ? static_cast<T*>(memory(count * sizeof(T))) : nullptr;
  }
  template <class T>
  void address(T& address) {
    address = nullptr;
  }

  uint64_t particle_count(clothc_fabric fabric) const {
    clothc_fabric_info info = {};
    info.struct_size = sizeof info;
    return clothc_fabric_get_info(fabric, &info) >= 0 ? info.particle_count : 0;
  }
  uint64_t particle_count(clothc_cloth_id cloth) const {
    clothc_cloth_info info = {};
    info.struct_size = sizeof info;
    const auto solver = objects_.handle<clothc_solver>(solver_);
    return clothc_cloth_get_info(solver, cloth, &info) >= 0 ? info.particle_count : 0;
  }

 private:
  static constexpr uint64_t MOST_OUTPUTS = 1 << 20;

  struct Created {
    virtual ~Created() = default;
    virtual void run(CapturedObjects& objects) const = 0;
  };
  template <class Handle>
  struct CreatedHandle : Created {
    CreatedHandle(uint64_t recorded, const Handle* made) : recorded(recorded), made(made) {}
    void run(CapturedObjects& objects) const override { objects.add(recorded, *made); }
    uint64_t recorded;
    const Handle* made;
  };
  struct CreatedId : Created {
    CreatedId(uint64_t solver, CapturedObjects::IdKind kind, uint32_t recorded, const uint32_t* made)
        : solver(solver), kind(kind), recorded(recorded), made(made) {}
    void run(CapturedObjects& objects) const override { objects.add_id(solver, kind, recorded, *made); }
    uint64_t solver;
    CapturedObjects::IdKind kind;
    uint32_t recorded;
    const uint32_t* made;
  };

  bool flag() {
    const auto value = bytes_.value<uint8_t>();
    if (value > 1) bytes_.fail("it says neither that it has an output nor that it has none");
    return value == 1;
  }

  PointerKind kind() {
    const auto kind = bytes_.value<PointerKind>();
    if (kind > PointerKind::unreadable) bytes_.fail("it has an unknown kind of pointer");
    if (kind == PointerKind::unreadable) readable_ = false;
    return kind;
  }

  // Zeroed memory that lasts as long as the decoder.
  void* memory(uint64_t size) {
    memory_.push_back(std::make_unique<std::max_align_t[]>(size / sizeof(std::max_align_t) + 1));
    return memory_.back().get();
  }

  // The array that follows; null for none. The library will read `size` bytes of it.
  void* array_of(uint64_t size) {
    if (kind() != PointerKind::present) return nullptr;
    const auto stored = bytes_.value<uint64_t>();
    if (stored < size) bytes_.fail("an array is shorter than its elements");
    const uint8_t* const source = bytes_.take(stored);
    void* const target = memory(stored);
    if (stored > 0) std::memcpy(target, source, stored);
    return target;
  }

  void mapped_id(uint32_t& id, CapturedObjects::IdKind kind) {
    value(id);
    id = objects_.id(solver_, kind, id);
  }
  void mapped_ids(const uint32_t*& ids, uint64_t count, CapturedObjects::IdKind kind) {
    auto* const mapped = static_cast<uint32_t*>(array_of(product({count, sizeof(uint32_t)})));
    for (uint64_t i = 0; mapped && i < count; ++i) mapped[i] = objects_.id(solver_, kind, mapped[i]);
    ids = mapped;
  }
  void created_id(uint32_t*& id, CapturedObjects::IdKind kind) {
    id = nullptr;
    const bool wanted = flag();
    const auto recorded = bytes_.value<uint32_t>();
    if (!wanted) return;
    auto* const made = static_cast<uint32_t*>(memory(sizeof(uint32_t)));
    created_.push_back(std::make_unique<CreatedId>(solver_, kind, recorded, made));
    id = made;
  }

  // The size of the struct that follows; 0 for none.
  template <class Struct>
  uint32_t begin_struct() {
    if (kind() != PointerKind::present) return 0;
    const auto size = bytes_.value<uint32_t>();
    if (size < sizeof(uint32_t) || size > sizeof(Struct)) bytes_.fail("a struct has a wrong size");
    return size;
  }

  // The library goes by the size that the struct itself says; of arrays, by that of the first one.
  template <class Struct>
  void check_size(const uint8_t* record, uint32_t size) {
    uint32_t said = 0;
    static_assert(offsetof(Struct, struct_size) == 0);
    std::memcpy(&said, record, sizeof said);
    if (said != size) bytes_.fail("a struct has two sizes");
  }

  template <class Struct>
  void element(uint8_t* target, uint32_t size) {
    Struct copy;
    std::memset(static_cast<void*>(&copy), 0, sizeof copy);
    bytes_.copy(&copy, size);
    const bool outer = std::exchange(in_struct_, true);
    visit(*this, copy, size);
    in_struct_ = outer;
    std::memcpy(target, &copy, size);
  }

  CaptureBytes& bytes_;
  CapturedObjects& objects_;
  uint64_t solver_ = 0;
  bool readable_ = true;
  bool in_struct_ = false;
  std::vector<std::unique_ptr<std::max_align_t[]>> memory_;
  std::vector<std::unique_ptr<Created>> created_;
};

}  // namespace clothc_tool
