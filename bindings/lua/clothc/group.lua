-- group.lua - groups: particles without a fabric, with springs. In all other respects a group is a cloth.
local ffi = require "ffi"
local C = require "clothc.library".C
local Buffer = require "clothc.buffer"
local Cloth = require "clothc.cloth"
local errors = require "clothc.errors"
local records = require "clothc.records"
local values = require "clothc.values"

local check = errors.check

---@class clothc.Group : clothc.Cloth
local Group = setmetatable({kind = "group", __eq = Cloth.__eq, __tostring = Cloth.__tostring}, {__index = Cloth})
Group.__index = Group

--- Returns the object for an id; solver:group calls this.
function Group.new(solver, id)
  return setmetatable({solver = solver, id = values.integer(id, "uint32", "id")}, Group)
end

--- solver:add_group calls this.
---@param desc clothc.group_desc
function Group.add(solver, desc)
  local record, anchors = records.build("group_desc", desc, "group")
  local id = ffi.new "clothc_group_id[1]"
  check(C.clothc_group_add(solver.handle, record, id), anchors)
  return Group.new(solver, id[0])
end

--- Removes the group from its solver.
function Group:remove()
  check(C.clothc_group_remove(self.solver.handle, self.id))
  self.solver:forget_bindings(self.id)
end

--- Replaces the springs. Each argument is a buffer or numbers; buffers may be longer than spring_count says.
---@param indices? clothc.Buffer|clothc.array two particles per spring
---@param rest_lengths? clothc.Buffer|clothc.array
---@param stiffness? clothc.Buffer|clothc.array default 1
---@param spring_count? integer default: half the number of indices, if they are not a buffer
function Group:set_springs(indices, rest_lengths, stiffness, spring_count)
  local device = self.solver.device
  Buffer.with(device, indices, "uint", "indices", function(index_handle, length)
    local count = spring_count or length and length / 2
    if index_handle ~= nil and not count then
      errors.argument "spring_count is nil; buffers may be longer, so give it"
    end
    count = values.integer(count or 0, "uint32", "spring_count")
    Buffer.with(device, rest_lengths, "float", "rest_lengths", function(length_handle)
      Buffer.with(device, stiffness, "float", "stiffness", function(stiffness_handle)
        check(C.clothc_group_set_springs(self.solver.handle, self.id, index_handle, length_handle, stiffness_handle,
          count))
      end)
    end)
  end)
end

--- Chooses which particles are active, from the next update on.
---@param particles? clothc.Buffer|clothc.array indices within the group, counted from 0; nil = the first ones
---@param count? integer needed for nil and for a buffer
function Group:set_active(particles, count)
  Buffer.with(self.solver.device, particles, "uint", "particles", function(handle, length)
    local wanted = count or length
    if not wanted then
      wanted = type(particles) == "table" and getmetatable(particles) ~= Buffer and 0
        or errors.argument "count is nil; give it, as a buffer may be longer and nil means the first particles"
    end
    check(C.clothc_group_set_active(self.solver.handle, self.id, handle, values.integer(wanted, "uint32", "count")))
  end)
end

--- Returns the active particles in ascending order.
---@return integer[]
function Group:active()
  local count = ffi.new "uint32_t[1]"
  check(C.clothc_group_get_active(self.solver.handle, self.id, nil, count))
  local particles, list = ffi.new("uint32_t[?]", count[0]), {}
  if count[0] > 0 then check(C.clothc_group_get_active(self.solver.handle, self.id, particles, count)) end
  for index = 0, count[0] - 1 do list[index + 1] = particles[index] end
  return list
end

--- Says what the group is, beside its info as a cloth.
---@param into? ffi.cdata* clothc_group_info to fill
---@return clothc.group_info
function Group:group_info(into)
  return records.receive("group_info", into, C.clothc_group_get_info, self.solver.handle, self.id)
end

return Group
