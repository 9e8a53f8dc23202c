// cloth.cpp - the exported functions for cloths. They find the objects, check the arguments, and call the solver.
#include "core/api/cloth_arguments.h"
#include "core/objects/device.h"
#include "core/solver/solver.h"
#include "core/base/structs.h"

using namespace clothc;

namespace {

ClothSource read_cloth_desc(const Solver& solver, const clothc_cloth_desc& desc) {
  CLOTHC_REQUIRE((desc.flags & ~uint32_t{CLOTHC_CLOTH_NO_PHASES}) == 0,
                 "cloth_desc.flags is 0x%x; want CLOTHC_CLOTH_... only", desc.flags);
  const std::shared_ptr<Fabric> fabric = resolve<Fabric>(desc.fabric);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, fabric->device() == solver.device(),
                    "cloth_desc.fabric belongs to another device than the solver");
  ClothSource source;
  source.fabric = fabric;
  const FabricLayout& layout = *fabric->layout();
  CLOTHC_REQUIRE(is_scale(desc.scale), "cloth_desc.scale is %g; want 1e-3 to 1e3", static_cast<double>(desc.scale));
  CLOTHC_REQUIRE(desc.spare_particle_count <= most_spares, "cloth_desc.spare_particle_count is %u; want at most 2^24",
                 desc.spare_particle_count);
  source.scale = desc.scale;
  source.spare_particle_count = desc.spare_particle_count;
  source.positions =
      checked_positions(layout, desc.positions, "cloth_desc.positions", desc.scale, source.scaled_positions);
  source.parameters = desc.parameters != nullptr ? adopt(desc.parameters) : make_default<clothc_cloth_parameters>();
  check_parameters(source.parameters, "cloth_parameters");
  check_wind(source.parameters, layout, "cloth_parameters");
  const bool use_defaults = desc.phase_config_count == 0 && (desc.flags & CLOTHC_CLOTH_NO_PHASES) == 0;
  CLOTHC_REQUIRE(desc.phase_config_count == 0 || (desc.flags & CLOTHC_CLOTH_NO_PHASES) == 0,
                 "cloth_desc has NO_PHASES and %u phase configs; want one or the other", desc.phase_config_count);
  source.phases =
      use_defaults ? default_configs(layout) : read_configs(desc.phase_configs, desc.phase_config_count, layout);
  source.collider_sets = read_collider_sets(solver, desc.collider_sets, desc.collider_set_count);
  return source;
}

}  // namespace

// ------------------------------------------------------------------------------------------------ cloth

clothc_result clothc_cloth_add(clothc_solver solver, const clothc_cloth_desc* desc, clothc_cloth_id* cloth) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    const clothc_cloth_desc d = adopt(desc);
    require_output(cloth, "cloth");
    *cloth = s->cloths().add(read_cloth_desc(*s, d));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_clone(clothc_solver solver, clothc_cloth_id source, clothc_cloth_id* cloth) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    require_output(cloth, "cloth");
    *cloth = s->cloths().clone(s->cloths().get(source));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_remove(clothc_solver solver, clothc_cloth_id cloth) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    s->remove_cloth(s->cloths().get(cloth));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_list(clothc_solver solver, clothc_cloth_id* cloths, uint32_t* count) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) -> clothc_result {
    require_output(count, "count");
    const std::vector<Cloth*>& all = s->cloths().in_order();
    const size_t capacity = *count;
    *count = static_cast<uint32_t>(all.size());
    if (cloths == nullptr) return CLOTHC_SUCCESS;
    for (size_t k = 0; k < all.size() && k < capacity; ++k) cloths[k] = all[k]->id;
    return all.size() > capacity ? CLOTHC_INCOMPLETE : CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_get_info(clothc_solver solver, clothc_cloth_id cloth, clothc_cloth_info* info) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    const Cloth& c = s->cloths().get(cloth);
    const size_t size = checked_output(info);
    clothc_cloth_info filled = make_default<clothc_cloth_info>();
    filled.first_particle = c.first_particle;
    filled.particle_count = c.particle_count();
    filled.phase_config_count = static_cast<uint32_t>(c.phases.size());
    filled.collider_set_count = static_cast<uint32_t>(c.collider_sets.size());
    filled.index = s->cloths().index_of(c);
    filled.ordinal = c.ordinal;
    filled.fabric_hash = c.layout().content_hash;
    filled.scale = c.scale;
    filled.spare_particle_count = c.spare_particle_count;
    put(info, size, filled);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_get_status(clothc_solver solver, clothc_cloth_id cloth, clothc_cloth_status* status) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    const Cloth& c = s->cloths().get(cloth);
    const size_t size = checked_output(status);
    put(status, size, s->cloths().status(c));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_set_parameters(clothc_solver solver, clothc_cloth_id cloth,
                                          const clothc_cloth_parameters* parameters) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    Cloth& c = s->cloths().get(cloth);
    const clothc_cloth_parameters p = adopt(parameters);
    check_parameters(p, "cloth_parameters");
    check_wind(p, c.layout(), "cloth_parameters");
    s->cloths().ensure_memory_for(c, p);
    s->cloths().set_parameters(c, p);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_set_frame(clothc_solver solver, clothc_cloth_id cloth, const clothc_cloth_frame* frame) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    Cloth& c = s->cloths().get(cloth);
    const clothc_cloth_frame f = adopt(frame);
    check_frame(f, "cloth_frame");
    s->cloths().set_frame(c, f);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_get_frame(clothc_solver solver, clothc_cloth_id cloth, clothc_cloth_frame* frame) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    const Cloth& c = s->cloths().get(cloth);
    put(frame, checked_output(frame), c.frame.record());
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_reset(clothc_solver solver, clothc_cloth_id cloth, const float* positions) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    Cloth& c = s->cloths().get(cloth);
    std::vector<float> own;
    s->cloths().reset(c, checked_positions(c.layout(), positions, "positions", c.scale, own));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_get_parameters(clothc_solver solver, clothc_cloth_id cloth,
                                          clothc_cloth_parameters* parameters) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    const Cloth& c = s->cloths().get(cloth);
    put(parameters, checked_output(parameters), c.parameters);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_set_phases(clothc_solver solver, clothc_cloth_id cloth, const clothc_phase_config* configs,
                                      uint32_t config_count) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    Cloth& c = s->cloths().get(cloth);
    s->cloths().set_phases(c, read_configs(configs, config_count, c.layout()));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_get_phases(clothc_solver solver, clothc_cloth_id cloth, clothc_phase_config* configs,
                                      uint32_t* count) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) -> clothc_result {
    const Cloth& c = s->cloths().get(cloth);
    require_output(count, "count");
    const size_t capacity = *count;
    if (configs != nullptr && capacity > 0) {
      const size_t stride = checked_output(configs);
      for (size_t k = 0; k < c.phases.size() && k < capacity; ++k)
        put(element(configs, stride, k), stride, c.phases[k]);
    }
    *count = static_cast<uint32_t>(c.phases.size());
    return configs != nullptr && c.phases.size() > capacity ? CLOTHC_INCOMPLETE : CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_set_collider_sets(clothc_solver solver, clothc_cloth_id cloth,
                                             const clothc_collider_set_id* sets, uint32_t set_count) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    Cloth& c = s->cloths().get(cloth);
    s->cloths().set_collider_sets(c, read_collider_sets(*s, sets, set_count));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_set_self_collision_particles(clothc_solver solver, clothc_cloth_id cloth,
                                                        const uint32_t* particles, uint32_t particle_count) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    Cloth& c = s->cloths().get(cloth);
    CLOTHC_REQUIRE(particle_count == 0 || particles != nullptr, "the particles pointer is null, but their count is %u",
                   particle_count);
    CLOTHC_REQUIRE(particle_count <= c.particle_count(), "%u particles are listed, but the cloth has %u",
                   particle_count, c.particle_count());
    std::vector<uint32_t> read;
    if (particle_count > 0) read.assign(particles, particles + particle_count);
    s->cloths().set_self_collision_particles(c, sorted_particles(std::move(read), c.particle_count(), "cloth"));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_bind(clothc_solver solver, clothc_cloth_id cloth, clothc_channel channel,
                                clothc_buffer buffer, const clothc_view* view) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    Cloth& c = s->cloths().get(cloth);
    CLOTHC_REQUIRE(channel == CLOTHC_CHANNEL_POSITION || channel == CLOTHC_CHANNEL_PREVIOUS_POSITION ||
                       channel == CLOTHC_CHANNEL_START_POSITION || channel == CLOTHC_CHANNEL_VELOCITY ||
                       channel == CLOTHC_CHANNEL_NORMAL || channel == CLOTHC_CHANNEL_TANGENT,
                   "channel %u cannot be bound; want CLOTHC_CHANNEL_POSITION, PREVIOUS_POSITION, START_POSITION, "
                   "VELOCITY, NORMAL or TANGENT",
                   channel);
    Binding binding{channel, buffer, 0, 0, 0, 0};
    if (buffer != nullptr) {
      std::shared_ptr<Buffer> b = resolve<Buffer>(buffer);
      CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, b->device() == s->device(),
                        "the buffer belongs to another device than the solver");
      const Transfer layout = check_layout(false, channel, std::move(b), view, 0, true);
      CLOTHC_REQUIRE(layout.buffer_count >= c.layout().vertex_count,
                     "the buffer has %llu elements; want one for each of the mesh's %u vertices",
                     static_cast<unsigned long long>(layout.buffer_count), c.layout().vertex_count);
      binding.format = layout.format;
      binding.byte_offset = layout.byte_offset;
      binding.stride = layout.stride;
      binding.flags = layout.view_flags;
    }
    s->bindings().bind(c, binding);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cloth_clear(clothc_solver solver, clothc_cloth_id cloth, clothc_channel channel) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    Cloth& c = s->cloths().get(cloth);
    const ChannelInfo* found = find_channel(channel);
    CLOTHC_REQUIRE(found != nullptr && is_clearable(found->state), "channel %u cannot be cleared; want one of %s",
                   channel, clearable_channels().c_str());
    s->cloths().clear(c, state_channels[found->state].group);
    return CLOTHC_SUCCESS;
  });
}
