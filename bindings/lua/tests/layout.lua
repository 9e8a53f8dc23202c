-- layout.lua - measures what ffi makes of the declarations, in the lines that clothc_layout prints for the C compiler.
local ffi = require "ffi"

local layout = {}

--- The size of a field. Of numbers and pointers, it is the number of bytes that setting them to 0 changes.
local function field_size(record, name, size)
  local value = record[name]
  local is_aggregate = type(value) == "cdata" and tostring(ffi.typeof(value)):find "[%[&]"
  if is_aggregate then return ffi.sizeof(value) end
  ffi.fill(record, size, 0xff)
  if not pcall(function() record[name] = 0 end) then record[name] = nil end
  local bytes, zeros = ffi.cast("uint8_t*", record), 0
  for index = 0, size - 1 do zeros = zeros + (bytes[index] == 0 and 1 or 0) end
  return zeros
end

--- Returns the line of this Lua state for a line of clothc_layout.
---@param constant fun(name: string): number the value of a constant
function layout.line(wanted, constant)
  local struct = wanted:match "^struct ([%w_]+) "
  if struct then return ("struct %s %d"):format(struct, ffi.sizeof(struct)) end
  local owner, field = wanted:match "^field ([%w_]+)%.([%w_]+) "
  if owner then
    local size = field_size(ffi.new(owner), field, ffi.sizeof(owner))
    return ("field %s.%s %d %d"):format(owner, field, ffi.offsetof(owner, field), size)
  end
  local name = wanted:match "^constant ([%w_]+) " or error("no such line: " .. wanted)
  return "constant " .. name .. " " .. tostring(ffi.cast("int64_t", constant(name))):gsub("LL$", "")
end

return layout
