// colliders.cpp - the exported functions for collider sets, meshes and signed distance fields. They find the objects,
// check the arguments, and call the solver.
#include <algorithm>

#include "core/solver/solver.h"
#include "core/base/structs.h"

using namespace clothc;

clothc_result clothc_collider_set_create(clothc_solver solver, clothc_collider_set_id* set) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    require_output(set, "set");
    *set = s->colliders().create_set();
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_collider_set_destroy(clothc_solver solver, clothc_collider_set_id set) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    s->colliders().destroy_set(s->colliders().set(set));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_collider_set_write(clothc_solver solver, clothc_collider_set_id set,
                                        const clothc_collider_shapes* shapes) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    ColliderSet& written = s->colliders().set(set);
    const clothc_collider_shapes checked = adopt(shapes);
    check_shapes(checked);
    s->colliders().write_set(written, checked);
    return CLOTHC_SUCCESS;
  });
}

namespace {

template <class Desc>
clothc_result create_asset(clothc_solver solver, const Desc* desc, clothc_collider_asset_id* asset) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    const Desc checked = adopt(desc);
    require_output(asset, "asset");
    check_asset(checked);
    *asset = s->colliders().create_asset(checked);
    return CLOTHC_SUCCESS;
  });
}

}  // namespace

clothc_result clothc_collider_mesh_create(clothc_solver solver, const clothc_collider_mesh_desc* desc,
                                          clothc_collider_asset_id* asset) {
  return create_asset(solver, desc, asset);
}

clothc_result clothc_collider_sdf_create(clothc_solver solver, const clothc_sdf_desc* desc,
                                         clothc_collider_asset_id* asset) {
  return create_asset(solver, desc, asset);
}

clothc_result clothc_collider_asset_destroy(clothc_solver solver, clothc_collider_asset_id asset) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    s->colliders().destroy_asset(asset);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_sdf_cook(const clothc_sdf_cook_desc* desc, clothc_sdf_desc* sdf, float* values, uint64_t* size) {
  return guard([&] {
    const clothc_sdf_cook_desc d = adopt(desc);
    const size_t sdf_size = checked_output(sdf);
    require_output(size, "size");
    check_sdf_cook(d);
    const cook::DistanceGrid grid = grid_of(d);
    clothc_sdf_desc found = make_default<clothc_sdf_desc>();
    std::copy(std::begin(grid.counts), std::end(grid.counts), found.counts);
    std::copy(std::begin(grid.origin), std::end(grid.origin), found.origin);
    found.spacing = grid.spacing;
    found.values = values;
    const uint64_t bytes = uint64_t{grid.counts[0]} * grid.counts[1] * grid.counts[2] * sizeof(float);
    if (values != nullptr) {
      CLOTHC_REQUIRE(*size >= bytes, "size is %llu; the field's values have %llu bytes",
                     static_cast<unsigned long long>(*size), static_cast<unsigned long long>(bytes));
      const std::vector<uint32_t> triangles = corners_of(d.triangle_count, d.triangles);
      const std::vector<float> distances =
          cook::cook_signed_distance(d.vertices, d.vertex_count, triangles.data(), d.triangle_count, grid);
      std::transform(distances.begin(), distances.end(), values,
                     [](float distance) { return std::min(distance, most_sdf_distance); });
    }
    put(sdf, sdf_size, found);
    *size = bytes;
    return CLOTHC_SUCCESS;
  });
}
