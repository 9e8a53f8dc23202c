// intersections.cpp - the memory for counting in tables, and the schedule that refits the BVHs and counts.
#include "core/solver/intersections.h"

#include "core/collision/primitive_layout.h"
#include "core/schedule/schedule.h"

namespace clothc {

void Intersections::prepare(Cloth& cloth) {
  if (cloth.layout().triangle_count == 0) return;
  std::shared_ptr<const ClothPrimitives> primitives = store_.fabrics().primitives(*cloth.topology);
  if (cloth.primitives == primitives) return;
  const PrimitiveTables tables{*primitives};
  const uint32_t first = store_.allocate_words(tables.words());
  try {
    const std::vector<uint32_t> headers = tables.headers(first, cloth.topology->word(cloth.layout().particle_fans));
    store_.queue().transaction([&] { store_.write_words(first, headers); });
  } catch (...) {
    store_.release_words(first, tables.words());
    throw;
  }
  store_.release_words(cloth.primitive_headers, cloth.primitive_capacity);
  cloth.primitive_headers = first;
  cloth.primitive_capacity = tables.words();
  cloth.primitives = std::move(primitives);
  cloth.mark_settings_changed();
}

void Intersections::queue(const std::vector<Cloth*>& cloths) {
  Sequence sequence;
  std::vector<Job> jobs;
  // Adds a pass with a job for each set of each cloth whose number of items is not 0. make(set, tables, job) sets the
  // items and the argument.
  const auto run = [&](Kernel kernel, auto make) {
    jobs.clear();
    for (const Cloth* cloth : cloths) {
      for (int set = 0; set < primitive_sets && cloth->primitives != nullptr; ++set) {
        Job job{static_cast<uint32_t>(kernel), cloth->slot, 0, 0, static_cast<uint32_t>(set)};
        make(set, PrimitiveTables{*cloth->primitives}, job);
        if (job.end > 0) jobs.push_back(job);
      }
    }
    if (!jobs.empty()) sequence.run(jobs);
  };
  const auto all = [](int set, const PrimitiveTables& tables, Job& job) { job.end = tables.set(set).stride; };
  for (Cloth* cloth : cloths) uploads_.upload_settings(*cloth);
  run(Kernel::bound_primitives, all);
  for (uint32_t level = most_bvh_levels; level-- > 0;) {
    run(Kernel::refit_primitives, [&](int set, const PrimitiveTables& tables, Job& job) {
      const WideBvh bvh = tables.bvh(set);
      if (level < bvh.levels) job.end = padded(bvh.boxes(level));
      job.argument |= level << primitive_level_shift;
    });
  }
  run(Kernel::count_intersections, all);
  if (!jobs.empty()) store_.run(sequence.finish());
}

}  // namespace clothc
