// contents.h - everything that restoring a snapshot replaces as a whole: the parts of a solver that hold its cloths and
// colliders, on the host and on the device.
#pragma once

#include "core/solver/bindings.h"
#include "core/solver/cloth_collision.h"
#include "core/solver/cloths.h"
#include "core/solver/colliders.h"
#include "core/solver/contact_report.h"
#include "core/solver/device_store.h"
#include "core/solver/groups.h"
#include "core/solver/intersections.h"
#include "core/solver/scheduler.h"
#include "core/solver/transfers.h"
#include "core/solver/uploads.h"

namespace clothc {

// Each part knows those that its constructor takes, which are declared before it and outlive it.
struct SolverContents {
  SolverContents(CommandQueue& queue, const clothc_solver_desc& desc)
      : store(queue, desc.particle_capacity, desc.cloth_capacity),
        colliders(store, desc.collider_set_capacity),
        cloths(store, colliders, desc.cloth_capacity),
        cloth_collision(store, cloths),
        contacts(store, cloths, colliders, desc.contact_capacity),
        uploads(store, cloths, colliders, cloth_collision, contacts),
        groups(store, cloths, uploads),
        intersections(store, uploads),
        transfers(store, cloths, contacts, intersections, uploads),
        bindings(store),
        scheduler(store, cloths, colliders, cloth_collision, contacts, desc.schedule) {}
  SolverContents(const SolverContents&) = delete;
  SolverContents& operator=(const SolverContents&) = delete;

  // Undoes what a failed transaction changed on the host, and marks every copy on the device as out of date.
  void rollback() {
    cloths.rollback();
    colliders.forget_device_copies();
    cloth_collision.forget_device_copies();
  }

  DeviceStore store;
  Colliders colliders;
  Cloths cloths;
  ClothCollision cloth_collision;
  ContactReport contacts;
  Uploads uploads;
  Groups groups;
  Intersections intersections;
  Transfers transfers;
  Bindings bindings;
  Scheduler scheduler;
};

}  // namespace clothc
