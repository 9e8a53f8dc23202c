// structs.cpp - the defaults of every public struct, and the sizes that it has had in releases.
#include "core/base/structs.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "core/base/external.h"
#include "core/base/parameters.h"

namespace clothc {
namespace {

// All sizes that a struct has had, in bytes. A struct only ever grows, by fields added at its end, so an older size is
// the offset of the first field that was added after it. An older size of 0 means none.
struct Sizes {
  clothc_struct_kind kind;
  size_t newest;
  size_t older[4] = {0, 0, 0, 0};
};

constexpr Sizes known_sizes[] = {
    {CLOTHC_STRUCT_DEVICE_DESC,
     sizeof(clothc_device_desc),
     {offsetof(clothc_device_desc, uuid), offsetof(clothc_device_desc, cache)}},
    {CLOTHC_STRUCT_DEVICE_INFO, sizeof(clothc_device_info)},
    {CLOTHC_STRUCT_BUFFER_DESC,
     sizeof(clothc_buffer_desc),
     {offsetof(clothc_buffer_desc, external), offsetof(clothc_buffer_desc, flags)}},
    {CLOTHC_STRUCT_BUFFER_INFO, sizeof(clothc_buffer_info), {offsetof(clothc_buffer_info, requested_kind)}},
    {CLOTHC_STRUCT_MESH_DESC,
     sizeof(clothc_mesh_desc),
     {offsetof(clothc_mesh_desc, triangle_stride), offsetof(clothc_mesh_desc, long_range_edges)}},
    {CLOTHC_STRUCT_FABRIC_DESC,
     sizeof(clothc_fabric_desc),
     {offsetof(clothc_fabric_desc, flags), offsetof(clothc_fabric_desc, texture_coordinates),
      offsetof(clothc_fabric_desc, virtual_particle_count), offsetof(clothc_fabric_desc, constraint_sets)}},
    {CLOTHC_STRUCT_FABRIC_INFO,
     sizeof(clothc_fabric_info),
     {offsetof(clothc_fabric_info, diagnostic_count), offsetof(clothc_fabric_info, constraint_set_count)}},
    {CLOTHC_STRUCT_SOLVER_DESC, sizeof(clothc_solver_desc), {offsetof(clothc_solver_desc, contact_capacity)}},
    {CLOTHC_STRUCT_SOLVER_INFO,
     sizeof(clothc_solver_info),
     {offsetof(clothc_solver_info, last_update_submissions), offsetof(clothc_solver_info, contact_capacity)}},
    {CLOTHC_STRUCT_CLOTH_DESC, sizeof(clothc_cloth_desc), {offsetof(clothc_cloth_desc, scale)}},
    {CLOTHC_STRUCT_CLOTH_INFO, sizeof(clothc_cloth_info), {offsetof(clothc_cloth_info, scale)}},
    {CLOTHC_STRUCT_CLOTH_PARAMETERS,
     sizeof(clothc_cloth_parameters),
     {offsetof(clothc_cloth_parameters, linear_drag), offsetof(clothc_cloth_parameters, collision_flags),
      offsetof(clothc_cloth_parameters, self_collision_distance)}},
    {CLOTHC_STRUCT_CLOTH_STATUS, sizeof(clothc_cloth_status), {offsetof(clothc_cloth_status, kinetic_energy)}},
    {CLOTHC_STRUCT_PHASE_CONFIG, sizeof(clothc_phase_config)},
    {CLOTHC_STRUCT_COLLIDER_SHAPES, sizeof(clothc_collider_shapes), {offsetof(clothc_collider_shapes, capsule_count)}},
    {CLOTHC_STRUCT_CHANNEL_INFO, sizeof(clothc_channel_info)},
    {CLOTHC_STRUCT_VIEW, sizeof(clothc_view)},
    {CLOTHC_STRUCT_UPDATE, sizeof(clothc_update)},
    {CLOTHC_STRUCT_EXTERNAL_HANDLE, sizeof(clothc_external_handle)},
    {CLOTHC_STRUCT_DIAGNOSTIC, sizeof(clothc_diagnostic)},
    {CLOTHC_STRUCT_CLOTH_FRAME, sizeof(clothc_cloth_frame)},
    {CLOTHC_STRUCT_COLLIDER_MESH_DESC, sizeof(clothc_collider_mesh_desc)},
    {CLOTHC_STRUCT_SDF_COOK_DESC, sizeof(clothc_sdf_cook_desc)},
    {CLOTHC_STRUCT_SDF_DESC, sizeof(clothc_sdf_desc)},
    {CLOTHC_STRUCT_CONTACT, sizeof(clothc_contact)},
    {CLOTHC_STRUCT_PARAMETER_INFO, sizeof(clothc_parameter_info)},
    {CLOTHC_STRUCT_CONSTRAINT_SET, sizeof(clothc_constraint_set)},
    {CLOTHC_STRUCT_TIMERS, sizeof(clothc_timers)},
    {CLOTHC_STRUCT_GROUP_DESC, sizeof(clothc_group_desc)},
    {CLOTHC_STRUCT_GROUP_INFO, sizeof(clothc_group_info)},
    {CLOTHC_STRUCT_CUDA_DEVICE_DESC, sizeof(clothc_cuda_device_desc)},
    {CLOTHC_STRUCT_VULKAN_DEVICE_DESC, sizeof(clothc_vulkan_device_desc)},
    {CLOTHC_STRUCT_VULKAN_REQUIREMENTS, sizeof(clothc_vulkan_requirements)},
    {CLOTHC_STRUCT_VULKAN_BUFFER_DESC, sizeof(clothc_vulkan_buffer_desc)},
    {CLOTHC_STRUCT_DEBUG_DESC, sizeof(clothc_debug_desc)},
    {CLOTHC_STRUCT_VERIFICATION, sizeof(clothc_verification)},
    {CLOTHC_STRUCT_VERIFICATION_ROW, sizeof(clothc_verification_row)},
};

size_t newest_size(clothc_struct_kind kind) {
  for (const Sizes& sizes : known_sizes) {
    if (sizes.kind == kind) return sizes.newest;
  }
  return 0;
}

bool is_released_size(clothc_struct_kind kind, size_t size) {
  if (size == 0) return false;
  return std::any_of(std::begin(known_sizes), std::end(known_sizes), [&](const Sizes& s) {
    return s.kind == kind &&
           (s.newest == size || std::find(std::begin(s.older), std::end(s.older), size) != std::end(s.older));
  });
}

// Memory whose size and alignment suffice for every public struct.
union Scratch {
  char bytes[sizeof(clothc_verification)];
  uint64_t alignment;
};
static_assert(sizeof(clothc_verification) >= sizeof(clothc_device_info) &&
                  sizeof(clothc_verification) >= sizeof(clothc_fabric_info) &&
                  sizeof(clothc_verification) >= sizeof(clothc_mesh_desc) &&
                  sizeof(clothc_verification) >= sizeof(clothc_solver_info) &&
                  sizeof(clothc_verification) >= sizeof(clothc_timers) &&
                  sizeof(clothc_verification) >= sizeof(clothc_vulkan_requirements),
              "Scratch holds every struct");

void fill_defaults(clothc_struct_kind kind, void* pointer) {
  switch (kind) {
    case CLOTHC_STRUCT_DEVICE_DESC:
      static_cast<clothc_device_desc*>(pointer)->hang_timeout_ms = 60000;
      break;
    case CLOTHC_STRUCT_EXTERNAL_HANDLE: {
      auto* external = static_cast<clothc_external_handle*>(pointer);
      external->type = native_external_type;
      external->handle = -1;
      break;
    }
    case CLOTHC_STRUCT_BUFFER_DESC: {
      auto* desc = static_cast<clothc_buffer_desc*>(pointer);
      desc->kind = CLOTHC_BUFFER_HOST;
      desc->format = CLOTHC_FORMAT_FLOAT4;
      break;
    }
    case CLOTHC_STRUCT_MESH_DESC: {
      auto* desc = static_cast<clothc_mesh_desc*>(pointer);
      desc->index_size = 4;
      desc->tethers_per_particle = 1;
      break;
    }
    case CLOTHC_STRUCT_SOLVER_DESC: {
      auto* desc = static_cast<clothc_solver_desc*>(pointer);
      desc->particle_capacity = 65536;
      desc->cloth_capacity = 1024;
      desc->collider_set_capacity = 256;
      desc->updates_in_flight = 3;
      break;
    }
    case CLOTHC_STRUCT_CLOTH_DESC:
      static_cast<clothc_cloth_desc*>(pointer)->scale = 1;
      break;
    case CLOTHC_STRUCT_CLOTH_PARAMETERS:
      clothc::fill_defaults(*static_cast<clothc_cloth_parameters*>(pointer));
      break;
    case CLOTHC_STRUCT_CLOTH_FRAME: {
      auto* frame = static_cast<clothc_cloth_frame*>(pointer);
      frame->rotation[3] = 1;
      frame->start_rotation[3] = 1;
      break;
    }
    case CLOTHC_STRUCT_PHASE_CONFIG: {
      auto* config = static_cast<clothc_phase_config*>(pointer);
      config->stiffness = 1;
      config->stiffness_multiplier = 1;
      config->compression_limit = 1;
      config->stretch_limit = 1;
      break;
    }
    case CLOTHC_STRUCT_COLLIDER_SHAPES:
      static_cast<clothc_collider_shapes*>(pointer)->triangle_reach = 0.1f;
      break;
    case CLOTHC_STRUCT_SDF_COOK_DESC:
      static_cast<clothc_sdf_cook_desc*>(pointer)->resolution = 64;
      break;
    case CLOTHC_STRUCT_VIEW:
      static_cast<clothc_view*>(pointer)->format = CLOTHC_FORMAT_FLOAT4;
      break;
    case CLOTHC_STRUCT_UPDATE:
      static_cast<clothc_update*>(pointer)->dt = 1.0f / 60.0f;
      break;
    case CLOTHC_STRUCT_VULKAN_DEVICE_DESC:
      static_cast<clothc_vulkan_device_desc*>(pointer)->api_version = 1u << 22 | 1u << 12;
      break;
    case CLOTHC_STRUCT_VULKAN_BUFFER_DESC:
      static_cast<clothc_vulkan_buffer_desc*>(pointer)->queue_family = CLOTHC_VULKAN_NO_QUEUE_FAMILY;
      break;
    case CLOTHC_STRUCT_DEBUG_DESC: {
      auto* desc = static_cast<clothc_debug_desc*>(pointer);
      desc->flags = CLOTHC_DEBUG_PHASES | CLOTHC_DEBUG_COLLIDERS;
      desc->phase = UINT32_MAX;
      desc->full_strain = 0.1f;
      desc->velocity_time = 0.05f;
      break;
    }
    // The defaults of all other structs are zero.
    default:
      break;
  }
}

void require_released_size(clothc_struct_kind kind, const void* pointer, const char* name) {
  CLOTHC_REQUIRE(pointer != nullptr, "the %s pointer is null", name);
  uint32_t size;
  std::memcpy(&size, pointer, sizeof(size));
  CLOTHC_REQUIRE_AS(
      CLOTHC_ERROR_INVALID_STRUCT, is_released_size(kind, size),
      "%s.struct_size is %u; want %zu: call clothc_struct_init first, and do not use a newer header than the library",
      name, size, newest_size(kind));
}

}  // namespace

bool init_struct(clothc_struct_kind kind, void* pointer, size_t size) {
  if (!is_released_size(kind, size)) return false;
  Scratch scratch{};
  fill_defaults(kind, &scratch);
  const uint32_t struct_size = static_cast<uint32_t>(size);
  std::memcpy(&scratch, &struct_size, sizeof(struct_size));
  std::memcpy(pointer, &scratch, size);
  return true;
}

size_t released_size(clothc_struct_kind kind, size_t limit) {
  size_t largest = 0;
  for (const Sizes& sizes : known_sizes) {
    if (sizes.kind != kind) continue;
    if (sizes.newest <= limit) return sizes.newest;
    for (const size_t size : sizes.older) {
      if (size <= limit) largest = std::max(largest, size);
    }
  }
  return largest;
}

void adopt_struct(clothc_struct_kind kind, void* target, size_t target_size, const void* source, const char* name) {
  require_released_size(kind, source, name);
  uint32_t size;
  std::memcpy(&size, source, sizeof(size));
  std::memcpy(target, source, size);
  const uint32_t new_size = static_cast<uint32_t>(target_size);
  std::memcpy(target, &new_size, sizeof(new_size));
}

size_t output_size(clothc_struct_kind kind, const void* target, const char* name) {
  require_released_size(kind, target, name);
  uint32_t size;
  std::memcpy(&size, target, sizeof(size));
  return size;
}

}  // namespace clothc
