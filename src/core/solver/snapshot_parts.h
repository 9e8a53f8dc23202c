// snapshot_parts.h - writes and reads the parts of a snapshot that hold collider assets and collider sets.
#pragma once

#include "core/base/byte_stream.h"
#include "core/collision/collider_set.h"
#include "core/base/slots.h"

namespace clothc {

void put_collider_asset(ByteWriter& writer, const ColliderAsset& asset);
std::unique_ptr<ColliderAsset> read_collider_asset(ByteReader& reader);

void put_collider_set(ByteWriter& writer, const ColliderSet& set);
// assets: the assets of the snapshot, which have been read before.
std::unique_ptr<ColliderSet> read_collider_set(ByteReader& reader, const Slots<ColliderAsset>& assets);

}  // namespace clothc
