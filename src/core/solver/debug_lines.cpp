// debug_lines.cpp - see debug_lines.h. Constraints are read back from the device, because the fabric's arrays need not
// exist any more.
#include "core/solver/debug_lines.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "core/debug/constraints.h"
#include "core/debug/particles.h"
#include "core/debug/shapes.h"

namespace clothc {
namespace {

// Ranges of device memory, and the arrays of words or structs that they are read into.
class Readback {
 public:
  template <class Element>
  void add(const DeviceRange& range, std::vector<Element>& target) {
    target.resize(range.size / sizeof(Element));
    if (target.empty()) return;
    ranges_.push_back(range);
    targets_.push_back(target.data());
  }
  // Queues what body queues, waits for it, and reads the ranges.
  template <class Body>
  void run(CommandQueue& queue, Body body) const {
    const std::vector<uint8_t> bytes = queue.fetch(ranges_, body);
    const uint8_t* source = bytes.data();
    for (size_t k = 0; k < ranges_.size(); ++k) {
      std::memcpy(targets_[k], source, ranges_[k].size);
      source += ranges_[k].size;
    }
  }

 private:
  std::vector<DeviceRange> ranges_;
  std::vector<void*> targets_;
};

class DebugDrawing {
 public:
  DebugDrawing(SolverContents& contents, const std::vector<Cloth*>& cloths, const clothc_debug_desc& desc)
      : contents_(contents), store_(contents.store), cloths_(cloths), desc_(desc), views_(cloths.size()) {
    for (size_t k = 0; k < cloths.size(); ++k) views_[k].cloth = cloths[k];
  }

  std::vector<clothc_debug_line> draw() {
    read();
    for (ClothView& view : views_) {
      view.size = desc_.size > 0 ? double{desc_.size} : mean_edge_of(view);
      draw_cloth(view);
    }
    return lines_.take();
  }

 private:
  bool has(uint32_t flags) const { return (desc_.flags & flags) != 0; }

  // ------------------------------------------------------------------------------------------------ reading

  void read() {
    Readback readback;
    for (ClothView& view : views_) list_channels(view, readback);
    if (has(CLOTHC_DEBUG_PHASES | CLOTHC_DEBUG_TETHERS | CLOTHC_DEBUG_VIRTUAL_PARTICLES) || desc_.size <= 0)
      list_words(readback);
    std::vector<uint32_t> contact_count;
    if (has(CLOTHC_DEBUG_CONTACTS) && contents_.contacts.records() != 0)
      readback.add(contents_.contacts.number(), contact_count);
    readback.run(store_.queue(), [] {});
    if (!contact_count.empty()) read_contacts(contact_count[0]);
    if (has(CLOTHC_DEBUG_NORMALS)) read_computed(Kernel::read_channel_normal, &ClothView::normals);
    if (has(CLOTHC_DEBUG_VELOCITIES)) read_computed(Kernel::read_channel_velocity, &ClothView::velocities);
  }

  void list_channels(ClothView& view, Readback& readback) const {
    const Cloth& cloth = *view.cloth;
    const auto list = [&](StateChannel channel, std::vector<float>& target) {
      readback.add(store_.channel_range(cloth, channel, cloth.particle_count()), target);
    };
    list(state_position, view.positions);
    if (has(CLOTHC_DEBUG_PARTICLES)) list(state_previous, view.previous);
    // Where a constraint was set since the last update, it begins the next one at its start.
    const auto list_moving = [&](ChannelGroup group, std::vector<float>& starts, std::vector<float>& targets) {
      if (!cloth.has(group)) return;
      list(last_of(group), targets);
      if ((cloth.inputs & channel_groups[group].set()) != 0) list(first_of(group), starts);
    };
    if (has(CLOTHC_DEBUG_MOTION_CONSTRAINTS)) list_moving(group_motion, view.motion_starts, view.motion_targets);
    if (has(CLOTHC_DEBUG_SEPARATION_CONSTRAINTS))
      list_moving(group_separation, view.separation_starts, view.separation_targets);
  }

  void list_words(Readback& readback) {
    for (ClothView& view : views_) {
      const ClothTopology& topology = *view.cloth->topology;
      if (topology.changes != nullptr) {
        view.words = topology.changes->words().data();
        continue;
      }
      const auto [found, is_new] = words_.try_emplace(&topology);
      if (is_new) readback.add(store_.fabrics().range_of(topology), found->second);
      view.words = found->second.data();
    }
  }

  void read_contacts(uint32_t number) {
    const uint64_t count = std::min(number, contents_.contacts.capacity());
    std::vector<clothc_contact> contacts;
    Readback readback;
    readback.add({store_.table_memory(), uint64_t{contents_.contacts.records()} * 4, count * sizeof(clothc_contact)},
                 contacts);
    readback.run(store_.queue(), [] {});
    std::map<clothc_cloth_id, ClothView*> views;
    for (ClothView& view : views_) views[view.cloth->id] = &view;
    for (const clothc_contact& contact : contacts) {
      const auto found = views.find(contact.cloth);
      if (found != views.end()) found->second->contacts.push_back(contact);
    }
  }

  // Reads a channel that a kernel computes, by way of the exchange block.
  void read_computed(Kernel kernel, std::vector<float> ClothView::*target) {
    Readback readback;
    for (ClothView& view : views_) {
      const Cloth& cloth = *view.cloth;
      readback.add(store_.block_range(block_exchange, cloth.first_particle, cloth.particle_count()), view.*target);
    }
    readback.run(store_.queue(), [&] {
      std::vector<Job> jobs;
      for (Cloth* cloth : cloths_) {
        contents_.uploads.upload_settings(*cloth);
        jobs.push_back({static_cast<uint32_t>(kernel), cloth->slot, 0, cloth->particle_count(),
                        read_bias + cloth->first_particle});
      }
      store_.run(jobs);
    });
  }

  // ------------------------------------------------------------------------------------------------ drawing

  void draw_cloth(const ClothView& view) {
    lines_.place(view.cloth->frame.start);
    if (has(CLOTHC_DEBUG_PHASES)) draw_phases(view, desc_, lines_);
    if (has(CLOTHC_DEBUG_TETHERS)) draw_tethers(view, desc_, lines_);
    if (has(CLOTHC_DEBUG_PARTICLES)) draw_particles(view, lines_);
    if (has(CLOTHC_DEBUG_VIRTUAL_PARTICLES)) draw_virtual_particles(view, lines_);
    if (has(CLOTHC_DEBUG_NORMALS)) draw_normals(view, lines_);
    if (has(CLOTHC_DEBUG_VELOCITIES)) draw_velocities(view, double{desc_.velocity_time}, lines_);
    if (has(CLOTHC_DEBUG_MOTION_CONSTRAINTS)) draw_motion_constraints(view, lines_);
    if (has(CLOTHC_DEBUG_SEPARATION_CONSTRAINTS)) draw_separation_constraints(view, lines_);
    if (has(CLOTHC_DEBUG_COLLIDERS)) draw_sets(view);
    if (has(CLOTHC_DEBUG_CONTACTS)) draw_contacts(view, lines_);
    if (has(CLOTHC_DEBUG_FRAMES)) draw_frame(view, lines_);
  }

  void draw_sets(const ClothView& view) {
    const Pose& pose = view.cloth->frame.start;
    const Ball near = ball_around(view);
    const Ball near_in_world = {Placement(pose)(near.centre), near.radius};
    for (const clothc_collider_set_id id : view.cloth->collider_sets) {
      const ColliderSet& set = contents_.colliders.set(id);
      if (set.space == CLOTHC_COLLIDER_SPACE_LOCAL) {
        draw_colliders(set, DrawnShapes::all, near, lines_);
        continue;
      }
      const bool is_new = drawn_sets_.insert(id).second;
      lines_.place(Pose());
      draw_colliders(set, is_new ? DrawnShapes::all : DrawnShapes::only_planes, near_in_world, lines_);
      lines_.place(pose);
    }
  }

  SolverContents& contents_;
  DeviceStore& store_;
  const std::vector<Cloth*>& cloths_;
  const clothc_debug_desc& desc_;
  std::vector<ClothView> views_;
  std::map<const ClothTopology*, std::vector<uint32_t>> words_;
  // The sets in the world that were drawn.
  std::set<clothc_collider_set_id> drawn_sets_;
  LineList lines_;
};

}  // namespace

std::vector<clothc_debug_line> draw_debug_lines(SolverContents& contents, const std::vector<Cloth*>& cloths,
                                                const clothc_debug_desc& desc) {
  return DebugDrawing(contents, cloths, desc).draw();
}

}  // namespace clothc
