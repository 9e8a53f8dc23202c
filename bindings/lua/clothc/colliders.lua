-- colliders.lua - what cloth collides with: sets of shapes, and the meshes and distance fields that sets can show.
-- The solver owns both; these objects only name them, so the garbage collector destroys nothing.
local ffi = require "ffi"
local C = require "clothc.library".C
local errors = require "clothc.errors"
local records = require "clothc.records"
local values = require "clothc.values"

local check = errors.check
local colliders = {}

---@class clothc.ColliderSet
---@field solver clothc.Solver
---@field id integer
local ColliderSet = {kind = "collider set"}
ColliderSet.__index = ColliderSet

---@class clothc.ColliderAsset
---@field solver clothc.Solver
---@field id integer
local ColliderAsset = {kind = "collider asset"}
ColliderAsset.__index = ColliderAsset

--- Returns the object for an id.
function colliders.set(solver, id)
  return setmetatable({solver = solver, id = values.integer(id, "uint32", "id")}, ColliderSet)
end

function colliders.create_set(solver, shapes)
  local id = ffi.new "clothc_collider_set_id[1]"
  check(C.clothc_collider_set_create(solver.handle, id))
  local set = colliders.set(solver, id[0])
  if shapes == nil then return set end
  -- A set whose shapes are refused is not left behind.
  local is_written, message = pcall(set.write, set, shapes)
  if not is_written then
    set:destroy()
    error(message, 0)
  end
  return set
end

--- Replaces all shapes of the set for the updates that follow. Counts follow from the arrays.
---@param shapes clothc.collider_shapes
function ColliderSet:write(shapes)
  local record, anchors = records.build("collider_shapes", shapes, "shapes")
  check(C.clothc_collider_set_write(self.solver.handle, self.id, record), anchors)
end

--- Destroys the set. Cloths that list it no longer do.
function ColliderSet:destroy()
  check(C.clothc_collider_set_destroy(self.solver.handle, self.id))
end

local function asset(solver, id)
  return setmetatable({solver = solver, id = id[0]}, ColliderAsset)
end

function colliders.create_mesh(solver, desc)
  local record, anchors = records.build("collider_mesh_desc", desc, "mesh")
  local id = ffi.new "clothc_collider_asset_id[1]"
  check(C.clothc_collider_mesh_create(solver.handle, record, id), anchors)
  return asset(solver, id)
end

function colliders.create_sdf(solver, desc)
  local record, anchors = records.build("sdf_desc", desc, "sdf")
  local id = ffi.new "clothc_collider_asset_id[1]"
  check(C.clothc_collider_sdf_create(solver.handle, record, id), anchors)
  return asset(solver, id)
end

--- Destroys the mesh or distance field. It fails while a collider set uses it.
function ColliderAsset:destroy()
  check(C.clothc_collider_asset_destroy(self.solver.handle, self.id))
end

--- Computes the signed distance field of a mesh. The result can be given to Solver:create_collider_sdf.
---@param desc clothc.sdf_cook_desc
---@return clothc.sdf_desc
function colliders.cook_sdf(desc)
  local record, anchors = records.build("sdf_cook_desc", desc, "mesh")
  local grid, size = records.new "sdf_desc", ffi.new "uint64_t[1]"
  check(C.clothc_sdf_cook(record, grid, nil, size), anchors)
  local field = ffi.new("float[?]", tonumber(size[0]) / 4)
  check(C.clothc_sdf_cook(record, grid, field, size), anchors)
  local sdf = records.read("sdf_desc", grid)
  sdf.values = field
  return sdf
end

return colliders
