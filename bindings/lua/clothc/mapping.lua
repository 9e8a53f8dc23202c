-- mapping.lua - the memory of a mapped buffer. mapping[i] is element i, counted from 0 as everywhere in the library:
-- mapping[i].x of FLOAT3 and FLOAT4, a number of FLOAT and UINT, a struct of RECORD. get and set move single elements.
-- Invariant: pointer is false unless the buffer is mapped, so that access through a mapping after an unmap is an error.
-- What a program has taken out of it, an element or the pointer, must not be used after the unmap.
local ffi = require "ffi"
local constants = require "clothc.constants"
local errors = require "clothc.errors"
local values = require "clothc.values"

if not pcall(ffi.typeof, "clothc_lua_float4") then
  ffi.cdef [[
  typedef struct clothc_lua_float3 { float x, y, z; } clothc_lua_float3;
  typedef struct clothc_lua_float4 { float x, y, z, w; } clothc_lua_float4;
  ]]
end

local format = constants.format
local types = {
  [format.FLOAT] = ffi.typeof "float", [format.FLOAT3] = ffi.typeof "clothc_lua_float3",
  [format.FLOAT4] = ffi.typeof "clothc_lua_float4", [format.UINT] = ffi.typeof "uint32_t",
}
-- What arrays.lua may take the memory for.
local numbers = {[format.FLOAT] = "float", [format.FLOAT3] = "float", [format.FLOAT4] = "float",
                 [format.UINT] = "uint32"}
local bytes_pointer = ffi.typeof "uint8_t*"

---@class clothc.Mapping
---@field pointer ffi.cdata*|false address of element 0, typed by the format; without checks, for innermost loops
---@field buffer clothc.Buffer
---@field count integer number of elements
---@field size integer bytes
---@field stride integer bytes from one element to the next
local Mapping = {}

--- Returns the mapping of a buffer, which every map of the buffer uses again.
---@param record? string name of the struct that the elements of a RECORD buffer are, such as "cloth_status"
function Mapping.new(buffer, record)
  local element = types[buffer.format] or (record and ffi.typeof("clothc_" .. record) or ffi.typeof "uint8_t")
  if ffi.sizeof(element) > buffer.stride then
    errors.argument("an element of the buffer has %d bytes; %s has %d", buffer.stride, record or "its format",
      ffi.sizeof(element))
  end
  local address = ffi.new "void*[1]"
  return setmetatable({
    buffer = buffer, count = buffer.count, stride = buffer.stride, size = buffer.count * buffer.stride,
    numbers = numbers[buffer.format], has_gaps = ffi.sizeof(element) ~= buffer.stride,
    address = address, pointer = false,
    pointer_type = ffi.typeof("$*", element),
    typed_address = ffi.cast(ffi.typeof("$**", element), address),
    -- What typed_address held last. Storing a pointer anew makes garbage, so it happens only when the address changes.
    last = ffi.cast(ffi.typeof("$*", element), nil),
  }, Mapping)
end

--- Takes the address that the library has written.
---@package
function Mapping:begin()
  if self.typed_address[0] ~= self.last then self.last = self.typed_address[0] end
  self.pointer = self.last
  return self
end

local function fail(self, index)
  if not self.pointer then
    errors.raise(constants.result.ERROR_INVALID_STATE, "the buffer is not mapped; call buffer:map")
  end
  errors.argument("element %s is out of range; the buffer has elements 0 to %d", values.describe(index),
    self.count - 1)
end

local function at(self, index)
  local pointer = self.pointer
  if not pointer or not (index >= 0 and index < self.count) then fail(self, index) end
  if self.has_gaps then
    pointer = ffi.cast(self.pointer_type, ffi.cast(bytes_pointer, pointer) + index * self.stride)
    return pointer, 0
  end
  return pointer, index
end

--- Returns the components of an element, without making garbage.
function Mapping:get(index)
  local pointer, offset = at(self, values.number(index, "index"))
  local kind = self.buffer.format
  if kind == format.FLOAT4 then
    local element = pointer[offset]
    return element.x, element.y, element.z, element.w
  elseif kind == format.FLOAT3 then
    local element = pointer[offset]
    return element.x, element.y, element.z
  end
  return pointer[offset]
end

--- Sets the components of an element. The w of a FLOAT4 stays as it is if it is not given.
function Mapping:set(index, x, y, z, w)
  local pointer, offset = at(self, values.number(index, "index"))
  local kind = self.buffer.format
  if kind == format.FLOAT4 or kind == format.FLOAT3 then
    local element = pointer[offset]
    element.x, element.y, element.z = values.number(x, "x"), values.number(y, "y"), values.number(z, "z")
    if w ~= nil and kind == format.FLOAT4 then element.w = values.number(w, "w") end
  elseif kind == format.FLOAT then
    pointer[offset] = values.number(x, "x")
  elseif kind == format.UINT then
    pointer[offset] = values.integer(x, "uint32", "x")
  else
    errors.argument "an element of a RECORD buffer has no numbers to set; set the fields of mapping[i]"
  end
end

--- Returns the memory as bytes; for copies with ffi.copy.
function Mapping:bytes()
  if not self.pointer then fail(self, 0) end
  return ffi.cast(bytes_pointer, self.pointer)
end

--- Ends the mapping, as buffer:unmap does.
function Mapping:unmap()
  self.buffer:unmap()
end

function Mapping:__index(key)
  if type(key) ~= "number" then return Mapping[key] end
  local pointer, offset = at(self, key)
  return pointer[offset]
end

function Mapping:__newindex(key, value)
  if type(key) ~= "number" then errors.argument("a mapping has no %s to set", tostring(key)) end
  local pointer, offset = at(self, key)
  pointer[offset] = value
end

function Mapping:__tostring()
  return ("clothc mapping of %d elements, %s"):format(self.count, self.pointer and "mapped" or "unmapped")
end

return Mapping
