// world.h - a solver in one place, with the handles that its script has made. Worlds that got the same calls have
// tables of the same lengths, so a script names objects by their index in these tables.
#pragma once

#include <clothc.h>

#include <map>
#include <string>
#include <vector>

#include "parity/lockstep/log.h"
#include "parity/lockstep/random.h"
#include "support/calls.h"

namespace lockstep {

using clothc_test::initialised;
using clothc_test::require;

// A device that all seeds share, and how work is divided there. Nothing in it may change results.
struct Place {
  std::string name;
  clothc_device device;
  clothc_schedule schedule;
  bool has_timers;
  // Particles that a solver may have.
  uint32_t most_particles;
};

// A fabric with its blob, by which other worlds get the same one.
struct Fabric {
  clothc_fabric handle = nullptr;
  std::vector<uint8_t> blob;
};

class World {
 public:
  World(const Place& place, const clothc_solver_desc& desc);
  // Continues in another place as the original would, from a snapshot of it. Bindings are not copied.
  World(const Place& place, const World& original, const std::vector<uint8_t>& snapshot);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Mostly a living one; sometimes 0, or one that was removed or never existed.
  clothc_cloth_id pick_cloth(Random& random) const;
  clothc_group_id pick_group(Random& random) const;
  clothc_collider_set_id pick_set(Random& random) const;
  // Null if there is none.
  clothc_fabric pick_fabric(Random& random) const;
  std::vector<clothc_collider_set_id> pick_sets(Random& random) const;

  // What a cloth is; all 0 if there is no such cloth.
  clothc_cloth_info info_of(clothc_cloth_id cloth) const;
  // Number of phases of its fabric; 1 for groups.
  uint32_t phase_count_of(clothc_cloth_id cloth) const;

  void keep_fabric(clothc_fabric fabric, Random& random, Log& log);
  void forget_cloth(clothc_cloth_id cloth);

  // The snapshot to which restore_saved goes back, with the tables of that time.
  void save_state();
  clothc_result restore_saved();
  bool has_saved() const { return !saved_.snapshot.empty(); }
  std::vector<uint8_t>& saved_snapshot() { return saved_.snapshot; }

  // Lets the updates that wait for the gate run.
  void release();
  bool is_held() const { return held_updates > 0; }
  void end_bindings();

  const Place& place;
  clothc_solver_desc desc;
  clothc_solver solver = nullptr;
  std::vector<Fabric> fabrics;
  std::vector<clothc_cloth_id> cloths, groups, removed_cloths;
  std::vector<clothc_collider_set_id> sets, removed_sets;
  std::vector<clothc_collider_asset_id> assets, removed_assets;
  // Channels are bound to these.
  std::vector<clothc_buffer> buffers;
  // Updates wait for the gate, and raise the fence that counts.
  clothc_fence gate = nullptr, counter = nullptr;
  uint64_t gate_value = 0, counter_value = 0;
  // Number of updates since one waits for the gate.
  uint32_t held_updates = 0;
  // Contacts are those of the last update with a dt above 0, which snapshots do not hold.
  bool has_contacts = true;

 private:
  struct Saved {
    std::vector<uint8_t> snapshot;
    std::vector<clothc_cloth_id> cloths, groups;
    std::vector<clothc_collider_set_id> sets;
    std::vector<clothc_collider_asset_id> assets;
  };

  void make_objects();
  clothc_result restore(const std::vector<uint8_t>& snapshot);

  // Blobs of all fabrics that ever were, also of those that only a cloth or a snapshot still has.
  std::map<uint64_t, std::vector<uint8_t>> blobs_;
  std::map<uint64_t, uint32_t> phase_counts_;
  Saved saved_;
};

}  // namespace lockstep
