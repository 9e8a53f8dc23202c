-- values.lua - checks single values: integers that must fit into their C types, and constants, which a program gives
-- as numbers or by their names.
local ffi = require "ffi"
local constants = require "clothc.constants"
local errors = require "clothc.errors"

local values = {}

-- Numbers of Lua are exact up to 2^53, which is enough for what the library counts.
local lowest = {int32 = -2 ^ 31, int64 = -2 ^ 53}
local greatest = {int32 = 2 ^ 31 - 1, uint8 = 2 ^ 8 - 1, uint32 = 2 ^ 32 - 1, uint64 = 2 ^ 53, int64 = 2 ^ 53}

--- Says what a value is, for messages: its number, or its type.
function values.describe(value)
  return type(value) == "number" and ("%.17g"):format(value) or type(value) == "cdata" and tostring(ffi.typeof(value))
    or type(value) == "string" and ("the string %q"):format(value) or type(value)
end

local function is_integer64(value)
  return type(value) == "cdata" and (ffi.istype("uint64_t", value) or ffi.istype("int64_t", value))
end

--- Returns a value that fits into an integer type of C: a number, or a 64-bit integer of ffi.
---@param path string how messages name the value
function values.integer(value, c_type, path)
  if is_integer64(value) then
    local is_negative = ffi.istype("int64_t", value) and value < 0
    if c_type == "int64" or c_type == "uint64" and not is_negative then return value end
    value = tonumber(value)
  end
  local least = lowest[c_type] or 0
  if type(value) ~= "number" or value ~= math.floor(value) or value < least or value > greatest[c_type] then
    errors.argument("%s is %s; want an integer from %.17g to %.17g", path, values.describe(value), least,
      greatest[c_type])
  end
  return value
end

function values.number(value, path)
  if type(value) ~= "number" then errors.argument("%s is %s; want a number", path, values.describe(value)) end
  return value
end

-- The values of names that were looked up before, by group. Names are written as the constants are, in any case.
local known = {}

local function names_of(group)
  local names = {}
  for name in pairs(constants[group]) do names[#names + 1] = name:lower() end
  table.sort(names)
  return names
end

local function look_up(group, name)
  local value = rawget(constants[group], name:upper())
  return value or errors.unknown("clothc." .. group, name, names_of(group))
end

local function add_flags(group, names)
  local sum = 0
  for _, name in ipairs(names) do
    sum = bit.bor(sum, type(name) == "number" and name or look_up(group, tostring(name)))
  end
  return sum
end

--- Returns the number of a constant: a number, a name such as "cpu", or for flags several names, as in "read write" or
--- {"read", "write"}.
function values.constant(value, group, path)
  if type(value) == "number" then return values.integer(value, "uint32", path) end
  if type(value) == "string" then
    local found = known[group]
    if not found then
      found = {}
      known[group] = found
    end
    local number = found[value]
    if not number then
      if constants.flags[group] then
        local names = {}
        for name in value:gmatch "[^%s,|]+" do names[#names + 1] = name end
        number = add_flags(group, names)
      else
        number = look_up(group, value)
      end
      found[value] = number
    end
    return number
  end
  if type(value) == "table" and constants.flags[group] then return add_flags(group, value) end
  return errors.argument("%s is %s; want a name or number of clothc.%s", path, values.describe(value), group)
end

return values
