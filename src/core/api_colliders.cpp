// api_colliders.cpp - exports for collider sets: resolve, check, hand over.
#include "core/solver.h"
#include "core/structs.h"

using namespace clothc;

clothc_result clothc_collider_set_create(clothc_solver solver, clothc_collider_set_id* set) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    require_output(set, "set");
    *set = s->create_collider_set();
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_collider_set_destroy(clothc_solver solver, clothc_collider_set_id set) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    s->destroy_collider_set(s->collider_set(set));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_collider_set_write(clothc_solver solver, clothc_collider_set_id set,
                                        const clothc_collider_shapes* shapes) {
  return guard([&] {
    const std::shared_ptr<Solver> s = resolve<Solver>(solver);
    ColliderSet& written = s->collider_set(set);
    const clothc_collider_shapes checked = adopt(shapes);
    check_shapes(checked);
    s->write_collider_set(written, checked);
    return CLOTHC_SUCCESS;
  });
}
