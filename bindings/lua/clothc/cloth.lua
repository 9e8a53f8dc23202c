-- cloth.lua - cloths of a solver. The solver owns them; these objects only name them, so the garbage collector removes
-- nothing. Groups, which are cloths too, are in group.lua.
local ffi = require "ffi"
local C = require "clothc.library".C
local arrays = require "clothc.arrays"
local errors = require "clothc.errors"
local objects = require "clothc.objects"
local records = require "clothc.records"
local values = require "clothc.values"

local check = errors.check

---@class clothc.Cloth
---@field solver clothc.Solver
---@field id integer
local Cloth = {kind = "cloth"}
Cloth.__index = Cloth

function Cloth.__eq(first, second)
  return first.solver == second.solver and first.id == second.id
end

--- Returns the object for an id; solver:cloth calls this.
function Cloth.new(solver, id)
  return setmetatable({solver = solver, id = values.integer(id, "uint32", "id")}, Cloth)
end

--- solver:add_cloth calls this.
---@param desc clothc.cloth_desc
function Cloth.add(solver, desc)
  local context = nil
  if type(desc) == "table" and desc.positions ~= nil and type(desc.fabric) == "table" then
    context = {particle_count = desc.fabric:info().particle_count}
  end
  local record, anchors = records.build("cloth_desc", desc, "cloth", context)
  local id = ffi.new "clothc_cloth_id[1]"
  check(C.clothc_cloth_add(solver.handle, record, id), anchors)
  return Cloth.new(solver, id[0])
end

--- Removes the cloth from its solver.
function Cloth:remove()
  check(C.clothc_cloth_remove(self.solver.handle, self.id))
  self.solver:forget_bindings(self.id)
end

--- Sets the parameters for the updates that follow. Those that a table does not name get their defaults; to change
--- some, change what parameters() returns. A struct from clothc.struct "cloth_parameters" makes no garbage.
---@param parameters clothc.cloth_parameters
function Cloth:set_parameters(parameters)
  local record, anchors = records.build("cloth_parameters", parameters, "parameters")
  check(C.clothc_cloth_set_parameters(self.solver.handle, self.id, record), anchors)
end

--- Returns the parameters as last set.
---@param into? ffi.cdata* clothc_cloth_parameters to fill
---@return clothc.cloth_parameters
function Cloth:parameters(into)
  return records.receive("cloth_parameters", into, C.clothc_cloth_get_parameters, self.solver.handle, self.id)
end

--- Sets the phases that the cloth solves, in order.
---@param configs clothc.phase_config[]
function Cloth:set_phases(configs)
  local array, count, anchors = records.list("phase_config", configs, "phases")
  check(C.clothc_cloth_set_phases(self.solver.handle, self.id, array, count), anchors)
end

--- Returns the phases that the cloth solves.
---@return clothc.phase_config[]
function Cloth:phases()
  local count = ffi.new "uint32_t[1]"
  check(C.clothc_cloth_get_phases(self.solver.handle, self.id, nil, count))
  local list = {}
  if count[0] == 0 then return list end
  local configs = ffi.new("clothc_phase_config[?]", count[0])
  configs[0].struct_size = ffi.sizeof "clothc_phase_config"
  check(C.clothc_cloth_get_phases(self.solver.handle, self.id, configs, count))
  for index = 0, count[0] - 1 do list[index + 1] = records.read("phase_config", configs[index]) end
  return list
end

--- Sets where the frame of the cloth moves in the next update.
---@param frame clothc.cloth_frame
function Cloth:set_frame(frame)
  local record, anchors = records.build("cloth_frame", frame, "frame")
  check(C.clothc_cloth_set_frame(self.solver.handle, self.id, record), anchors)
end

--- Returns the frame: the target as last set, the start of the next update, and the flags that wait for it.
---@param into? ffi.cdata* clothc_cloth_frame to fill
---@return clothc.cloth_frame
function Cloth:frame(into)
  return records.receive("cloth_frame", into, C.clothc_cloth_get_frame, self.solver.handle, self.id)
end

--- Returns what the last update found about the cloth. It waits for everything queued.
---@param into? ffi.cdata* clothc_cloth_status to fill
---@return clothc.cloth_status
function Cloth:status(into)
  return records.receive("cloth_status", into, C.clothc_cloth_get_status, self.solver.handle, self.id)
end

--- Says what the cloth is. first_particle is where its elements begin in per-particle channels.
---@param into? ffi.cdata* clothc_cloth_info to fill
---@return clothc.cloth_info
function Cloth:info(into)
  return records.receive("cloth_info", into, C.clothc_cloth_get_info, self.solver.handle, self.id)
end

--- Puts the cloth to rest as if it had just been added.
---@param positions? clothc.array four numbers per particle: x y z and inverse mass; default: the fabric's
function Cloth:reset(positions)
  local pointer, anchor = nil, nil
  if positions ~= nil then
    local count, length = self:info().particle_count, nil
    pointer, length, anchor = arrays.pointer(positions, "float", 4, "positions")
    if length and length ~= 4 * count then
      errors.argument("positions has %d numbers; want %d, as the cloth has %d particles", length, 4 * count, count)
    end
  end
  check(C.clothc_cloth_reset(self.solver.handle, self.id, pointer), anchor)
end

--- Adds a copy of the cloth in its state after everything queued so far.
---@return clothc.Cloth
function Cloth:clone()
  local id = ffi.new "clothc_cloth_id[1]"
  check(C.clothc_cloth_clone(self.solver.handle, self.id, id))
  return setmetatable({solver = self.solver, id = id[0]}, getmetatable(self))
end

--- Drops optional data: "acceleration", "motion_constraint", "separation_constraint" or "rest_position".
---@param channel clothc.channel
function Cloth:clear(channel)
  check(C.clothc_cloth_clear(self.solver.handle, self.id, values.constant(channel, "channel", "channel")))
end

--- Sets which collider sets the cloth collides with, in order.
---@param sets clothc.ColliderSet[]
function Cloth:set_collider_sets(sets)
  local pointer, count, anchor = arrays.pointer(sets, "uint32", nil, "sets")
  check(C.clothc_cloth_set_collider_sets(self.solver.handle, self.id, pointer, count or 0), anchor)
end

--- Sets which particles collide with cloth.
---@param particles? clothc.array indices within the cloth, counted from 0; default all
function Cloth:set_self_collision_particles(particles)
  local pointer, count, anchor = nil, 0, nil
  if particles ~= nil then
    pointer, count, anchor = arrays.pointer(particles, "uint32", nil, "particles")
    if not count then errors.argument "particles is a pointer, whose length is not known; give an array of ffi" end
  end
  check(C.clothc_cloth_set_self_collision_particles(self.solver.handle, self.id, pointer, count), anchor)
end

--- Binds a channel to a buffer: every following update writes one element per vertex of the mesh. The buffer stays
--- reachable as long as it is bound. nil ends the binding.
---@param channel clothc.channel "position", "previous_position", "velocity", "normal" or "tangent"
---@param buffer? clothc.Buffer
---@param view? clothc.view
function Cloth:bind(channel, buffer, view)
  local number = values.constant(channel, "channel", "channel")
  local handle = buffer ~= nil and objects.handle(buffer, "buffer", "buffer") or nil
  local record, anchors = nil, nil
  if view ~= nil then record, anchors = records.build("view", view, "view") end
  check(C.clothc_cloth_bind(self.solver.handle, self.id, number, handle, record), anchors)
  self.solver:remember_binding(self.id, number, buffer)
end

function Cloth:__tostring()
  return ("clothc %s %d"):format(self.kind, self.id)
end

return Cloth
