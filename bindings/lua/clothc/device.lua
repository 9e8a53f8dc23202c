-- device.lua - devices: what does the work of everything that is made from them.
local ffi = require "ffi"
local C = require "clothc.library".C
local Buffer = require "clothc.buffer"
local constants = require "clothc.constants"
local errors = require "clothc.errors"
local Fabric = require "clothc.fabric"
local Fence = require "clothc.fence"
local objects = require "clothc.objects"
local records = require "clothc.records"
local Solver = require "clothc.solver"
local values = require "clothc.values"

local check = errors.check

---@class clothc.Device
local Device = objects.class("device", "clothc_device_destroy")

local function own(handle)
  return Device.own(handle[0], {buffers = setmetatable({}, {__mode = "k"})})
end

--- Creates a device.
---@param desc? clothc.device_desc
---@return clothc.Device
function Device.create(desc)
  local record, anchors = records.build("device_desc", desc, "device")
  local handle = ffi.new "clothc_device[1]"
  check(C.clothc_device_create(record, handle), anchors)
  return own(handle)
end

--- Creates a CUDA device that works in the program's context and stream.
---@param desc? clothc.device_desc
---@param cuda? clothc.cuda_device_desc
---@return clothc.Device
function Device.create_cuda(desc, cuda)
  local record, anchors = records.build("device_desc", desc, "device")
  local cuda_record, cuda_anchors = nil, nil
  if cuda ~= nil then cuda_record, cuda_anchors = records.build("cuda_device_desc", cuda, "cuda") end
  local handle = ffi.new "clothc_device[1]"
  check(C.clothc_cuda_device_create(record, cuda_record, handle), {anchors, cuda_anchors})
  return own(handle)
end

--- Tells what a VkDevice must be created with, so that create_vulkan can adopt it. Of the fields only api_version,
--- get_instance_proc_addr, instance and physical_device count.
---@param vulkan clothc.vulkan_device_desc
---@return clothc.vulkan_requirements
function Device.vulkan_requirements(vulkan)
  local adopted, anchors = records.build("vulkan_device_desc", vulkan, "vulkan")
  local required = records.new "vulkan_requirements"
  check(C.clothc_vulkan_get_requirements(adopted, required), anchors)
  return records.read("vulkan_requirements", required)
end

--- Creates a device that works on the program's VkDevice.
---@param desc? clothc.device_desc
---@param vulkan clothc.vulkan_device_desc
---@return clothc.Device
function Device.create_vulkan(desc, vulkan)
  local record, anchors = records.build("device_desc", desc, "device")
  local adopted, adopted_anchors = records.build("vulkan_device_desc", vulkan, "vulkan")
  local handle = ffi.new "clothc_device[1]"
  check(C.clothc_vulkan_device_create(record, adopted, handle), {anchors, adopted_anchors})
  return own(handle)
end

--- Lists all backends and devices of this machine, absent ones included with their reason.
---@return clothc.device_info[]
function Device.enumerate()
  local count = ffi.new "uint32_t[1]"
  check(C.clothc_device_enumerate(nil, count))
  local infos = ffi.new("clothc_device_info[?]", math.max(count[0], 1))
  infos[0].struct_size = ffi.sizeof "clothc_device_info"
  check(C.clothc_device_enumerate(infos, count))
  local list = {}
  for index = 0, count[0] - 1 do list[index + 1] = records.read("device_info", infos[index]) end
  return list
end

local destroy = Device.destroy

--- Destroys the device and everything made from it; it waits for all work. Returns false if it was destroyed before.
function Device:destroy()
  local is_destroyed = destroy(self)
  for buffer in pairs(self.buffers) do buffer:forget_mapping() end
  return is_destroyed
end

--- Says what the device is.
---@param into? ffi.cdata* clothc_device_info to fill
---@return clothc.device_info
function Device:info(into)
  return records.receive("device_info", into, C.clothc_device_get_info, self.handle)
end

--- The bits of a list of stages.
local function stage_bits(stages)
  if type(stages) ~= "table" then
    errors.argument("stages is %s; want a list of names or numbers of clothc.stage", values.describe(stages))
  end
  local bits = 0
  for index, stage in ipairs(stages) do
    local number = values.constant(stage, "stage", ("stages[%d]"):format(index))
    if number > 31 then errors.argument("stages[%d] is %d; want a name or number of clothc.stage", index, number) end
    bits = bit.bor(bits, bit.lshift(1, number))
  end
  return bits % 2 ^ 32
end

--- Begins to compile what updates with these stages need, in a thread of the library.
---@param stages? (string|integer)[] as in {"tethers", "wind"}; default, or an empty list: all that updates may have
function Device:prepare(stages)
  check(C.clothc_device_prepare(self.handle, stages == nil and 0 or stage_bits(stages)))
end

--- Waits until everything that prepare began is compiled, and what verify began has ended. Returns true, or false and "TIMEOUT".
---@param timeout_ns? integer default for ever
---@return boolean, string?
function Device:wait_prepared(timeout_ns)
  local timeout = values.integer(timeout_ns or constants.WAIT_FOREVER, "uint64", "timeout_ns")
  local result = check(C.clothc_device_wait(self.handle, timeout, nil, nil))
  if result == constants.result.TIMEOUT then return false, "TIMEOUT" end
  return true
end

--- Returns how many kernels and programs are compiled, and how many were asked for, without waiting.
---@return integer, integer
function Device:progress()
  local counts = ffi.new "uint32_t[2]"
  check(C.clothc_device_wait(self.handle, 0, counts, counts + 1))
  return counts[0], counts[1]
end

--- Returns what the driver has compiled so far as a string, for load_cache in the next run of the program.
---@return string
function Device:save_cache()
  while true do
    local succeeded, cache = pcall(objects.text, C.clothc_device_save_cache, self.handle)
    if succeeded then return cache end
    -- Another thread may have had more compiled since the size was asked for.
    if type(cache) ~= "table" or cache.code ~= constants.result.ERROR_INVALID_ARGUMENT then error(cache, 0) end
  end
end

--- Gives the string that save_cache has returned to the driver. An error says why it is of no use here; everything works
--- without it.
---@param cache string
function Device:load_cache(cache)
  if type(cache) ~= "string" then errors.argument("cache is %s; want a string", values.describe(cache)) end
  check(C.clothc_device_load_cache(self.handle, cache, #cache))
end

--- Finds out whether the device gives the bits of all others; verification tells. In the background, wait_prepared waits
--- for the end.
---@param in_background? boolean
function Device:verify(in_background)
  check(C.clothc_device_verify(self.handle, in_background and constants.verify.IN_BACKGROUND or 0))
end

--- Returns what is known of the bits that the device gives, and the results by kernel of a verification.
---@return clothc.verification, clothc.verification_row[]
function Device:verification()
  local verification = records.new "verification"
  local count = ffi.new "uint32_t[1]"
  check(C.clothc_device_get_verification(self.handle, verification, nil, count))
  local rows = ffi.new("clothc_verification_row[?]", math.max(count[0], 1))
  rows[0].struct_size = ffi.sizeof "clothc_verification_row"
  check(C.clothc_device_get_verification(self.handle, nil, rows, count))
  local list = {}
  for index = 0, count[0] - 1 do list[index + 1] = records.read("verification_row", rows[index]) end
  return records.read("verification", verification), list
end

--- Creates a buffer.
---@param desc clothc.buffer_desc
---@return clothc.Buffer
function Device:create_buffer(desc)
  return Buffer.create(self, desc)
end

--- Creates a buffer on a VkBuffer of the program, of the kind WRAPPED_DEVICE.
---@param desc clothc.buffer_desc
---@param vulkan clothc.vulkan_buffer_desc
---@return clothc.Buffer
function Device:create_vulkan_buffer(desc, vulkan)
  return Buffer.create_vulkan(self, desc, vulkan)
end

--- Cooks a mesh into a fabric. vertex_count, triangle_count and quad_count follow from the arrays.
---@param mesh clothc.mesh_desc
---@return clothc.Fabric
function Device:cook_fabric(mesh)
  return Fabric.cook(self, mesh)
end

--- Makes a fabric from flat arrays.
---@param desc clothc.fabric_desc
---@return clothc.Fabric
function Device:create_fabric(desc)
  return Fabric.create(self, desc)
end

--- Makes a fabric from the string that Fabric:save has returned.
---@param blob string
---@return clothc.Fabric
function Device:load_fabric(blob)
  return Fabric.load(self, blob)
end

--- Creates a solver.
---@param desc? clothc.solver_desc
---@return clothc.Solver
function Device:create_solver(desc)
  return Solver.create(self, desc)
end

--- Creates a fence.
---@param value? integer default 0
---@return clothc.Fence
function Device:create_fence(value)
  return Fence.create(self, value)
end

--- Creates a fence from a timeline semaphore. The fence owns the file descriptor if the call succeeds.
---@param external clothc.external_handle
---@return clothc.Fence
function Device:import_fence(external)
  return Fence.import(self, external)
end

return Device
