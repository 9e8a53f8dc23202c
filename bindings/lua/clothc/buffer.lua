-- buffer.lua - buffers: flat arrays through which data travels to and from solvers.
-- Invariant: memory that a buffer borrows stays reachable until the library has destroyed the buffer.
local ffi = require "ffi"
local C = require "clothc.library".C
local arrays = require "clothc.arrays"
local constants = require "clothc.constants"
local errors = require "clothc.errors"
local Mapping = require "clothc.mapping"
local objects = require "clothc.objects"
local records = require "clothc.records"
local values = require "clothc.values"

local check = errors.check
local NOT_READY = constants.result.NOT_READY
local READ = constants.map.READ
local format = constants.format

-- Numbers per element.
local widths = {[format.FLOAT] = 1, [format.FLOAT3] = 3, [format.FLOAT4] = 4, [format.UINT] = 1}

---@class clothc.Buffer
---@field device clothc.Device
---@field format integer one of clothc.format
---@field count integer number of elements
---@field stride integer bytes from one element to the next
local Buffer = objects.class("buffer", "clothc_buffer_destroy")

--- The memory of a WRAPPED_HOST buffer must hold all elements. Its length also tells the count if that is not given.
local function settle_memory(record, desc)
  if not arrays.is_array(desc.memory) then return end
  local stride = record.stride > 0 and record.stride or 4 * (widths[record.format] or 1)
  local size = ffi.sizeof(desc.memory)
  if desc.count == nil then record.count = math.floor(size / stride) end
  if tonumber(record.count) * stride > size then
    errors.argument("memory has %d bytes; %d elements of %d bytes need %d", size, tonumber(record.count), stride,
      tonumber(record.count) * stride)
  end
end

--- Makes the object of a buffer of the library. A HOST buffer in place of another kind borrows no memory.
local function own(device, handle, memory)
  local buffer = Buffer.own(handle[0], {device = device}, memory)
  local info = buffer:info()
  if info.kind ~= info.requested_kind then memory = nil end
  buffer.format, buffer.count, buffer.stride, buffer.memory = info.format, info.count, info.stride, memory
  buffer.mapping = false
  device.buffers[buffer] = true
  return buffer
end

--- Creates a buffer; device:create_buffer calls this.
---@param desc clothc.buffer_desc
---@return clothc.Buffer
function Buffer.create(device, desc)
  local record, anchors = records.build("buffer_desc", desc, "buffer")
  local is_wrapped = record.kind == constants.buffer_kind.WRAPPED_HOST
  if is_wrapped and type(desc) == "table" then
    if type(desc.memory) ~= "cdata" or select(2, arrays.element_of(desc.memory)) == "neither" then
      errors.argument("memory is %s; a WRAPPED_HOST buffer wants an array of ffi", values.describe(desc.memory))
    end
    settle_memory(record, desc)
  end
  local handle = ffi.new "clothc_buffer[1]"
  check(C.clothc_buffer_create(device.handle, record, handle), anchors)
  return own(device, handle, is_wrapped and (type(desc) == "table" and desc.memory or desc) or nil)
end

--- Creates a buffer on a VkBuffer; device:create_vulkan_buffer calls this.
---@param desc clothc.buffer_desc
---@param vulkan clothc.vulkan_buffer_desc
---@return clothc.Buffer
function Buffer.create_vulkan(device, desc, vulkan)
  local record, anchors = records.build("buffer_desc", desc, "buffer")
  if type(desc) ~= "cdata" and (desc or {}).kind == nil then record.kind = constants.buffer_kind.WRAPPED_DEVICE end
  local place = records.build("vulkan_buffer_desc", vulkan, "vulkan")
  local handle = ffi.new "clothc_buffer[1]"
  check(C.clothc_vulkan_buffer_create(device.handle, record, place, handle), anchors)
  return own(device, handle)
end

local destroy = Buffer.destroy

--- Destroys the buffer, even a mapped one. Returns false if it had been destroyed before.
function Buffer:destroy()
  local is_destroyed = destroy(self)
  self:forget_mapping()
  self.memory = nil
  return is_destroyed
end

--- Makes further accesses through the mapping errors.
---@package
function Buffer:forget_mapping()
  if self.mapping then self.mapping.pointer = false end
end

--- Maps the buffer. Returns the mapping, or nil and "NOT_READY" if the flags have "no_wait" and the library would have
--- to wait. It waits for the sets, gets and updates that use the buffer.
---@param flags? clothc.map_flags "read", "write", "read write", ...; default "read"
---@param record? string name of the struct that the elements of a RECORD buffer are
---@return clothc.Mapping?, string?
function Buffer:map(flags, record)
  local mapping = self.mapping
  if not mapping or record ~= self.mapped_record then
    mapping = Mapping.new(self, record)
  end
  local bits = flags == nil and READ or values.constant(flags, "map", "flags")
  if check(C.clothc_buffer_map(self.handle, bits, mapping.address)) == NOT_READY then return nil, "NOT_READY" end
  self.mapping, self.mapped_record = mapping, record
  return mapping:begin()
end

--- Ends the mapping.
function Buffer:unmap()
  check(C.clothc_buffer_unmap(self.handle))
  self:forget_mapping()
end

--- Copies the buffer, gaps included, into a new array of ffi or into the given one: uint32_t for UINT, uint8_t for
--- RECORD, otherwise float. It waits for the sets and gets that use the buffer.
---@param into? ffi.cdata* an array of ffi with at least as many bytes
---@return ffi.cdata* array
function Buffer:read(into)
  local size = self.count * self.stride
  if into == nil then
    local element = self.format == format.UINT and "uint32_t" or
      self.format == format.RECORD and "uint8_t" or "float"
    into = ffi.new(element .. "[?]", size / ffi.sizeof(element))
  elseif not arrays.is_array(into) or ffi.sizeof(into) < size then
    errors.argument("into is %s; want an array of ffi with at least %d bytes", values.describe(into), size)
  end
  check(C.clothc_buffer_read(self.handle, 0, size, into), into)
  return into
end

--- Writes into the buffer, from an element on: a table of numbers, or bytes, gaps included, as an array of ffi or a
--- string. It waits for the sets and gets that use the buffer.
---@param data clothc.array|string
---@param first? integer default 0
function Buffer:write(data, first)
  local offset = values.integer(first or 0, "uint32", "first") * self.stride
  local width = widths[self.format]
  local pointer, size, anchor = data, nil, nil
  if type(data) == "string" then
    size = #data
  elseif arrays.is_array(data) then
    size = ffi.sizeof(data)
  else
    if not width or self.stride ~= 4 * width then
      errors.argument("data is %s; a buffer of records or with gaps wants an array of ffi or a string",
        values.describe(data))
    end
    local kind = self.format == format.UINT and "uint32" or "float"
    pointer, size, anchor = arrays.pointer(data, kind, width, "data")
    if not size then errors.argument("data is a pointer, whose length is not known; give an array of ffi") end
    size = size * 4
  end
  if size > 0 then check(C.clothc_buffer_write(self.handle, offset, size, pointer), anchor) end
end

--- Says what the buffer is.
---@param into? ffi.cdata* clothc_buffer_info to fill
---@return clothc.buffer_info
function Buffer:info(into)
  return records.receive("buffer_info", into, C.clothc_buffer_get_info, self.handle)
end

--- Exports the memory of an EXPORTABLE buffer. Whoever calls it owns the file descriptor, handle.
---@return clothc.external_handle
function Buffer:export()
  return records.receive("external_handle", nil, C.clothc_buffer_export, self.handle)
end

--- Tells the address of element 0 on a CUDA device, a CUdeviceptr, as uint64_t.
function Buffer:cuda_pointer()
  local pointer = ffi.new "uint64_t[1]"
  check(C.clothc_cuda_buffer_get_pointer(self.handle, pointer))
  return pointer[0]
end

--- Tells the VkBuffer of a buffer, as uint64_t, and the offset of element 0 in it in bytes.
---@return ffi.cdata*, integer
function Buffer:vulkan_handle()
  local place = ffi.new "uint64_t[2]"
  check(C.clothc_vulkan_buffer_get_handle(self.handle, place, place + 1))
  return place[0], tonumber(place[1])
end

--- Calls a function with the handle of a buffer: the given one, or a temporary one that holds the given numbers.
--- Calls that read buffers before they return take their data this way.
function Buffer.with(device, value, format, path, call)
  if value == nil then return call(nil) end
  if getmetatable(value) == Buffer then return call(value.handle) end
  local pointer, length, anchor = arrays.pointer(value, format == "uint" and "uint32" or "float", nil, path)
  if not length then errors.argument("%s is a pointer, whose length is not known; give an array of ffi", path) end
  if length == 0 then return call(nil) end
  local buffer = Buffer.create(device, {format = format, count = length})
  check(C.clothc_buffer_write(buffer.handle, 0, length * 4, pointer), anchor)
  local result = call(buffer.handle, length)
  buffer:destroy()
  return result
end

return Buffer
