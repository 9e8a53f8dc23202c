-- solver.lua - solvers: they own the particles of their cloths and move all of them with update.
-- Invariant: the calls of a frame (update, get, set, wait, poll) use memory that the solver object owns, so that they
-- make no garbage if options are structs or absent.
local ffi = require "ffi"
local C = require "clothc.library".C
local Cloth = require "clothc.cloth"
local colliders = require "clothc.colliders"
local constants = require "clothc.constants"
local errors = require "clothc.errors"
local Group = require "clothc.group"
local objects = require "clothc.objects"
local records = require "clothc.records"
local values = require "clothc.values"

local check = errors.check
local SUCCESS, NOT_READY, TIMEOUT = constants.result.SUCCESS, constants.result.NOT_READY, constants.result.TIMEOUT
local FOREVER = constants.WAIT_FOREVER

---@class clothc.Solver
---@field device clothc.Device
local Solver = objects.class("solver", "clothc_solver_destroy")

--- device:create_solver calls this.
---@param desc? clothc.solver_desc
function Solver.create(device, desc)
  local record, anchors = records.build("solver_desc", desc, "solver")
  local handle = ffi.new "clothc_solver[1]"
  check(C.clothc_solver_create(device.handle, record, handle), anchors)
  local plain = records.new "update"
  return Solver.own(handle[0], {
    device = device,
    plain_update = plain, -- an update of which only dt ever differs from the defaults
    default_dt = plain.dt,
    value_out = ffi.new "uint64_t[1]",
    bindings = {}, -- the buffers that channels are bound to, by cloth and channel
  })
end

-- ---------------------------------------------------------------------------------------------------- updates

--- The struct of an update's options, and its anchors.
local function describe(self, options)
  if options ~= nil and type(options) ~= "number" then return records.build("update", options, "update") end
  self.plain_update.dt = type(options) == "number" and options or self.default_dt
  return self.plain_update
end

--- Moves every cloth. Returns the timeline value that the end of this update reaches, or nil and "NOT_READY" if the
--- flags have "no_wait" and enough updates are queued.
---@param options? number|clothc.update|ffi.cdata* dt in seconds, a table, or a clothc_update; default: 1/60 s
---@return integer?, string?
function Solver:update(options)
  local record, anchors = describe(self, options)
  local result = check(C.clothc_solver_update(self.handle, record, self.value_out), anchors)
  if result == NOT_READY then return nil, "NOT_READY" end
  return tonumber(self.value_out[0])
end

--- Waits until the solver's timeline has reached a value. Returns true, or false and "TIMEOUT".
---@param value? integer what update has returned; default: everything queued so far
---@param timeout_ns? integer default for ever
---@return boolean, string?
function Solver:wait(value, timeout_ns)
  local wanted = value == nil and FOREVER or values.integer(value, "uint64", "value")
  local timeout = timeout_ns == nil and FOREVER or values.integer(timeout_ns, "uint64", "timeout_ns")
  if check(C.clothc_solver_wait(self.handle, wanted, timeout)) == TIMEOUT then return false, "TIMEOUT" end
  return true
end

--- Says whether the solver's timeline has reached a value, and which value it has reached.
---@param value? integer default: everything queued so far
---@return boolean, integer
function Solver:poll(value)
  local wanted = value == nil and FOREVER or values.integer(value, "uint64", "value")
  local result = check(C.clothc_solver_poll(self.handle, wanted, self.value_out))
  return result == SUCCESS, tonumber(self.value_out[0])
end

--- Adds an update to the CUDA graph that a stream is capturing.
---@param stream ffi.cdata*|integer CUstream
---@param dt number
function Solver:capture_cuda_update(stream, dt)
  check(C.clothc_cuda_capture_update(self.handle, records.address(stream, "stream"), values.number(dt, "dt")))
end

local function record_into(self, command_buffer, record, anchors)
  local commands = records.address(command_buffer, "command_buffer")
  local semaphore = ffi.new "uint64_t[1]"
  local result = check(C.clothc_vulkan_record_update(self.handle, commands, record, semaphore, self.value_out), anchors)
  if result == NOT_READY then return nil, "NOT_READY" end
  return semaphore[0], tonumber(self.value_out[0])
end

--- Queues an update and records everything that is queued into a command buffer of a program that uses Vulkan. Returns
--- the VkSemaphore that the program raises when the commands have ended, as uint64_t, and the value to which it does; or
--- nil and "NOT_READY" if enough updates have not ended, and then nothing was recorded.
---@param command_buffer ffi.cdata*|integer VkCommandBuffer
---@param options? number|clothc.update|ffi.cdata* as for update
---@return ffi.cdata*?, integer|string
function Solver:record_vulkan_update(command_buffer, options)
  return record_into(self, command_buffer, describe(self, options))
end

--- Does the same without an update.
---@param command_buffer ffi.cdata*|integer VkCommandBuffer
---@return ffi.cdata*?, integer|string
function Solver:record_vulkan_queued(command_buffer)
  return record_into(self, command_buffer, nil)
end

-- ---------------------------------------------------------------------------------------------------- channels

---@class clothc.copy_options
---@field view? clothc.view which part of each element of the buffer is meant
---@field regions? clothc.region[] ranges to copy; default: from the first elements on
---@field flags? clothc.set_flags only for set

local option_names = {"view", "regions", "flags"}
local is_option = {view = true, regions = true, flags = true}

local function copy(self, call, channel, buffer, options)
  local number = values.constant(channel, "channel", "channel")
  local buffer_handle = objects.handle(buffer, "buffer", "buffer")
  if options == nil then return check(call(self.handle, number, buffer_handle, nil, nil, 0, 0)) end
  if type(options) ~= "table" then errors.argument("options is %s; want a table", values.describe(options)) end
  for key in pairs(options) do
    if not is_option[key] then errors.unknown("options", key, option_names) end
  end
  local view, view_anchors = nil, nil
  if options.view ~= nil then view, view_anchors = records.build("view", options.view, "view") end
  local regions, count, region_anchors = nil, 0, nil
  if options.regions ~= nil then regions, count, region_anchors = records.list("region", options.regions, "regions") end
  local flags = options.flags and values.constant(options.flags, "set", "flags") or 0
  check(call(self.handle, number, buffer_handle, view, regions, count, flags), {view_anchors, region_anchors})
end

--- Copies from a buffer to a channel, after everything queued before.
---@param channel clothc.channel
---@param buffer clothc.Buffer
---@param options? clothc.copy_options
function Solver:set(channel, buffer, options)
  copy(self, C.clothc_solver_set, channel, buffer, options)
end

--- Copies from a channel to a buffer, after everything queued before. Map or read the buffer to wait for it.
---@param channel clothc.channel
---@param buffer clothc.Buffer
---@param options? clothc.copy_options
function Solver:get(channel, buffer, options)
  copy(self, C.clothc_solver_get, channel, buffer, options)
end

--- Describes all channels, by their numbers. solver: nil leaves out the counts.
---@return clothc.channel_info[]
function Solver.channels(solver)
  local list = {}
  for number = 1, math.huge do
    local record = records.new "channel_info"
    local result = C.clothc_channel_describe(solver and solver.handle or nil, number, record)
    if result == constants.result.ERROR_INVALID_ARGUMENT then return list end
    check(result)
    list[number] = records.read("channel_info", record)
  end
end

-- ---------------------------------------------------------------------------------------------------- contents

--- Adds a cloth at rest.
---@param desc clothc.cloth_desc
---@return clothc.Cloth
function Solver:add_cloth(desc)
  return Cloth.add(self, desc)
end

--- Adds a group: particles without a fabric.
---@param desc clothc.group_desc
---@return clothc.Group
function Solver:add_group(desc)
  return Group.add(self, desc)
end

--- Returns the object of a cloth by its id, such as one that a contact names. Groups: see group.
---@return clothc.Cloth
function Solver:cloth(id)
  return Cloth.new(self, id)
end

--- Returns the object of a group by its id.
---@return clothc.Group
function Solver:group(id)
  return Group.new(self, id)
end

--- Lists the cloths and groups in the order in which they were added, which is that of per-cloth channels.
---@return clothc.Cloth[]
function Solver:cloths()
  local count = ffi.new "uint32_t[1]"
  check(C.clothc_cloth_list(self.handle, nil, count))
  local ids, list = ffi.new("clothc_cloth_id[?]", count[0]), {}
  if count[0] > 0 then check(C.clothc_cloth_list(self.handle, ids, count)) end
  local info = records.new "group_info"
  for index = 0, count[0] - 1 do
    local is_group = C.clothc_group_get_info(self.handle, ids[index], info) == SUCCESS
    list[index + 1] = (is_group and Group or Cloth).new(self, ids[index])
  end
  return list
end

--- Creates a collider set.
---@param shapes? clothc.collider_shapes default: none
---@return clothc.ColliderSet
function Solver:create_collider_set(shapes)
  return colliders.create_set(self, shapes)
end

--- Returns the object of a collider set by its id, such as one that a contact names.
---@return clothc.ColliderSet
function Solver:collider_set(id)
  return colliders.set(self, id)
end

--- Makes a mesh for instances in collider sets.
---@param desc clothc.collider_mesh_desc
---@return clothc.ColliderAsset
function Solver:create_collider_mesh(desc)
  return colliders.create_mesh(self, desc)
end

--- Makes a signed distance field for instances in collider sets.
---@param desc clothc.sdf_desc such as clothc.cook_sdf returns
---@return clothc.ColliderAsset
function Solver:create_collider_sdf(desc)
  return colliders.create_sdf(self, desc)
end

--- Bound buffers stay reachable, as the library would end a binding when the collector destroys its buffer.
---@package
function Solver:remember_binding(cloth, channel, buffer)
  self.bindings[cloth] = self.bindings[cloth] or {}
  self.bindings[cloth][channel] = buffer
end

---@package
function Solver:forget_bindings(cloth)
  self.bindings[cloth] = nil
end

-- ---------------------------------------------------------------------------------------------------- state

--- Says what the solver holds and has done.
---@param into? ffi.cdata* clothc_solver_info to fill
---@return clothc.solver_info
function Solver:info(into)
  return records.receive("solver_info", into, C.clothc_solver_get_info, self.handle)
end

--- Returns the times of the last update with the flag "timers" whose times have arrived.
---@param into? ffi.cdata* clothc_timers to fill
---@return clothc.timers
function Solver:timers(into)
  return records.receive("timers", into, C.clothc_solver_get_timers, self.handle)
end

--- Draws cloths as lines, for development. Returns an array of clothc_debug_line, counted from 0, and its length. It waits
--- for everything queued.
---@param desc? clothc.debug_desc
---@return ffi.cdata*, integer
function Solver:debug_lines(desc)
  local record, anchors = records.build("debug_desc", desc, "desc")
  local count = ffi.new "uint32_t[1]"
  check(C.clothc_solver_get_debug_lines(self.handle, record, nil, count), anchors)
  local lines = ffi.new("clothc_debug_line[?]", count[0])
  if count[0] > 0 then check(C.clothc_solver_get_debug_lines(self.handle, record, lines, count), anchors) end
  return lines, count[0]
end

--- Returns the hash of all state that affects the next update: 16 hexadecimal digits, and the uint64_t. It waits for
--- everything queued.
---@return string, ffi.cdata*
function Solver:state_hash()
  check(C.clothc_solver_state_hash(self.handle, self.value_out))
  local hash = self.value_out[0]
  return bit.tohex(tonumber(hash / 0x100000000ULL)) .. bit.tohex(tonumber(hash % 0x100000000ULL)), hash
end

--- Returns a snapshot of the solver as a string of bytes. It waits for everything queued.
---@return string
function Solver:snapshot()
  return objects.text(C.clothc_solver_snapshot, self.handle)
end

--- Replaces the cloths and collider sets, with their ids, by those of a snapshot.
---@param snapshot string
---@param fabrics? clothc.Fabric[] those of the snapshot's cloths, in any order
function Solver:restore(snapshot, fabrics)
  if type(snapshot) ~= "string" then errors.argument("snapshot is %s; want a string", values.describe(snapshot)) end
  if fabrics == nil then fabrics = {} end
  if type(fabrics) ~= "table" then
    errors.argument("fabrics is %s; want a list of fabrics", values.describe(fabrics))
  end
  local count = #fabrics
  local handles = ffi.new("clothc_fabric[?]", count)
  for index = 1, count do
    handles[index - 1] = objects.handle(fabrics[index], "fabric", ("fabrics[%d]"):format(index))
  end
  check(C.clothc_solver_restore(self.handle, snapshot, #snapshot, handles, count), handles)
  self.bindings = {}
end

--- Moves cloths so that all free particles form one range. Returns which cloths moved, in elements of the per-particle
--- channels.
---@return clothc.move[]
function Solver:compact()
  local count = ffi.new("uint32_t[1]", self:info().cloth_count)
  local moves, list = ffi.new("clothc_move[?]", count[0]), {}
  check(C.clothc_solver_compact(self.handle, moves, count))
  for index = 0, count[0] - 1 do list[index + 1] = records.read("move", moves[index]) end
  return list
end

return Solver
