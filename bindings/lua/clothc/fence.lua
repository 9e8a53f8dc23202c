-- fence.lua - fences: values that only grow, by which updates wait for other work and signal their end.
local ffi = require "ffi"
local C = require "clothc.library".C
local constants = require "clothc.constants"
local errors = require "clothc.errors"
local objects = require "clothc.objects"
local records = require "clothc.records"
local values = require "clothc.values"

local check = errors.check

---@class clothc.Fence
---@field device clothc.Device
local Fence = objects.class("fence", "clothc_fence_destroy")

--- device:create_fence calls this.
function Fence.create(device, value)
  local handle = ffi.new "clothc_fence[1]"
  check(C.clothc_fence_create(device.handle, values.integer(value or 0, "uint64", "value"), handle))
  return Fence.own(handle[0], {device = device})
end

--- device:import_fence calls this. The fence owns the file descriptor if the call succeeds.
---@param external clothc.external_handle what Fence:export has returned
function Fence.import(device, external)
  local record, anchors = records.build("external_handle", external, "external")
  local handle = ffi.new "clothc_fence[1]"
  check(C.clothc_fence_import(device.handle, record, handle), anchors)
  return Fence.own(handle[0], {device = device})
end

--- Raises the fence to a value.
---@param value integer
function Fence:signal(value)
  check(C.clothc_fence_signal(self.handle, values.integer(value, "uint64", "value")))
end

--- Waits until the fence has reached a value. Returns true, or false and "TIMEOUT".
---@param value integer
---@param timeout_ns? integer default for ever
---@return boolean, string?
function Fence:wait(value, timeout_ns)
  local result = check(C.clothc_fence_wait(self.handle, values.integer(value, "uint64", "value"),
    values.integer(timeout_ns or constants.WAIT_FOREVER, "uint64", "timeout_ns")))
  if result == constants.result.TIMEOUT then return false, "TIMEOUT" end
  return true
end

--- Returns the present value, exact up to 2^53.
---@return integer
function Fence:value()
  local value = ffi.new "uint64_t[1]"
  check(C.clothc_fence_get_value(self.handle, value))
  return tonumber(value[0])
end

--- Exports the fence as a timeline semaphore. Whoever calls it owns the file descriptor, handle.
---@return clothc.external_handle
function Fence:export()
  return records.receive("external_handle", nil, C.clothc_fence_export, self.handle)
end

return Fence
