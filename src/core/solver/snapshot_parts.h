// snapshot_parts.h - writes and reads the parts of a snapshot that hold collider assets, collider sets, the springs of
// groups, and how the topology of a cloth differs from that of its fabric.
#pragma once

#include "core/base/byte_stream.h"
#include "core/collision/collider_set.h"
#include "core/base/slots.h"
#include "core/fabric/fabric.h"
#include "core/fabric/topology_changes.h"

namespace clothc {

void put_collider_asset(ByteWriter& writer, const ColliderAsset& asset);
std::unique_ptr<ColliderAsset> read_collider_asset(ByteReader& reader);

void put_collider_set(ByteWriter& writer, const ColliderSet& set);
// assets: the assets of the snapshot, which have been read before.
std::unique_ptr<ColliderSet> read_collider_set(ByteReader& reader, const Slots<ColliderAsset>& assets);

// springs: those of a group (Cloth::springs), or null for a cloth.
void put_springs(ByteWriter& writer, const Fabric* springs);
// Number of words that put_springs writes.
uint64_t spring_words(const Fabric* springs);
// Returns null for a cloth.
std::shared_ptr<const Fabric> read_springs(ByteReader& reader, const std::shared_ptr<Device>& device,
                                           uint32_t particle_count);

// changes: null if the topology is that of the fabric.
void put_topology_changes(ByteWriter& writer, const TopologyChanges* changes);
// Number of words that put_topology_changes writes.
uint64_t topology_change_words(const TopologyChanges* changes);
// spare_count: number of particles that can still be split off.
std::unique_ptr<TopologyChanges> read_topology_changes(ByteReader& reader, const Fabric& fabric, uint32_t spare_count);

}  // namespace clothc
