-- arrays.lua - makes arrays of C from what a program gives: flat or nested tables, arrays of ffi, and mappings of
-- buffers. Tables are copied and every element is checked; the others are used where they are.
local ffi = require "ffi"
local errors = require "clothc.errors"
local Mapping = require "clothc.mapping"
local values = require "clothc.values"

local arrays = {}

-- For each element type: how to make an array, what messages call it, and which types of ffi have the same bytes.
local kinds = {
  float = {make = ffi.typeof "float[?]", pointer = ffi.typeof "const float*", name = "float", size = 4,
           accepts = {float = true, ["struct clothc_lua_float3"] = true, ["struct clothc_lua_float4"] = true}},
  uint32 = {make = ffi.typeof "uint32_t[?]", pointer = ffi.typeof "const uint32_t*", name = "uint32_t", size = 4,
            accepts = {["unsigned int"] = true, int = true}},
  uint16 = {make = ffi.typeof "uint16_t[?]", pointer = ffi.typeof "const uint16_t*", name = "uint16_t", size = 2,
            accepts = {["unsigned short"] = true, short = true}, most = 65535},
}

--- Tells the element type of a cdata as C spells it, and whether it is an "array", whose length is known, a "pointer",
--- or neither, such as a single number: "float", "array" for float[3][2].
function arrays.element_of(value)
  local text = tostring(ffi.typeof(value)):match "^ctype<(.*)>$"
  local base = text:gsub("const ", ""):match "^([%w_ ]-) ?[%[%(%*&]" or text
  return base, text:find "%*" and "pointer" or text:find "%[" and "array" or "neither"
end

--- Whether a value is an array of ffi, whose length is known.
function arrays.is_array(value)
  return type(value) == "cdata" and select(2, arrays.element_of(value)) == "array"
end

--- Returns how many numbers a table holds, nested tables included, and checks the length of the innermost tables.
local function measure(list, width, path)
  if type(list[1]) ~= "table" or list[1].id then
    if width and width > 0 and #list ~= width then
      errors.argument("%s has %d elements; want %d", path, #list, width)
    end
    return #list
  end
  local total = 0
  for index, inner in ipairs(list) do
    local inner_path = ("%s[%d]"):format(path, index)
    if type(inner) ~= "table" then
      errors.argument("%s is %s; want a table as the elements before it", inner_path, values.describe(inner))
    end
    total = total + measure(inner, width, inner_path)
  end
  return total
end

local function convert(value, kind, path)
  if kind == "float" then return values.number(value, path) end
  if type(value) == "table" and value.id then value = value.id end
  value = values.integer(value, "uint32", path)
  if value > (kinds[kind].most or value) then
    errors.argument("%s is %d; the greatest index of 2 bytes is %d", path, value, kinds[kind].most)
  end
  return value
end

--- Writes the numbers of a table into an array from a position on, and returns the position behind them.
local function store(list, array, kind, position, path)
  for index = 1, #list do
    local value = list[index]
    if type(value) == "table" and not value.id then
      position = store(value, array, kind, position, ("%s[%d]"):format(path, index))
    else
      -- The path is only put together for values that need a message.
      local is_plain = kind == "float" and type(value) == "number"
      array[position] = is_plain and value or convert(value, kind, ("%s[%d]"):format(path, index))
      position = position + 1
    end
  end
  return position
end

local function from_table(list, kind, width, path)
  local is_nested = type(list[1]) == "table" and not list[1].id
  local total = measure(list, is_nested and width or nil, path)
  if total == 0 then return nil, 0, nil end
  local array = kinds[kind].make(total)
  store(list, array, kind, 0, path)
  return ffi.cast(kinds[kind].pointer, array), total, array
end

--- Returns a pointer to the elements, their number (nil for a pointer of ffi, whose length is unknown), and what must
--- stay alive as long as the pointer is used.
---@param kind "float"|"uint32"|"uint16"
---@param width? integer how long the innermost tables must be
---@param path string how messages name the array
function arrays.pointer(value, kind, width, path)
  if type(value) == "table" then
    if getmetatable(value) ~= Mapping then return from_table(value, kind, width, path) end
    if value.numbers ~= kind or value.has_gaps then
      errors.argument("%s is the mapping of a buffer whose elements are not %s without gaps", path, kinds[kind].name)
    end
    return ffi.cast(kinds[kind].pointer, value:bytes()), value.size / kinds[kind].size, value
  end
  if type(value) ~= "cdata" then
    errors.argument("%s is %s; want a table or an array of ffi", path, values.describe(value))
  end
  local base, form = arrays.element_of(value)
  if form == "neither" or not kinds[kind].accepts[base] then
    errors.argument("%s is %s; want an array of %s", path, values.describe(value), kinds[kind].name)
  end
  local count = form == "array" and ffi.sizeof(value) / kinds[kind].size or nil
  return ffi.cast(kinds[kind].pointer, value), count, value
end

return arrays
