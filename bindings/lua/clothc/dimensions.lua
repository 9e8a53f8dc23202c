-- dimensions.lua - compares the lengths of arrays with the counts in their struct. A field's dimensions are numbers,
-- fields that hold counts, and a few other words of the headers, such as "particles of the type".
local ffi = require "ffi"
local arrays = require "clothc.arrays"
local constants = require "clothc.constants"
local errors = require "clothc.errors"
local values = require "clothc.values"

local dimensions = {}

-- The numbers of particles and of parameters of each type of constraint.
local constraint_widths = {
  DISTANCE = {2, 1}, STIFF_DISTANCE = {2, 2}, LONG_RANGE = {2, 1}, TETHER = {2, 1}, VIRTUAL_PARTICLE = {3, 3},
  DIHEDRAL_ANGLE = {4, 2}, TRIANGLE_AREA = {3, 2},
}
local widths_by_type = {}
for name, widths in pairs(constraint_widths) do widths_by_type[constants.constraint_type[name]] = widths end

--- The value of a dimension that is not a field: counts[2], convex_ends[convex_count - 1], or what the context says.
function dimensions.computed(dimension, record, context)
  local array, last = dimension:match "^([%w_]+)%[([%w_]+) %- 1%]$"
  if array then
    local count = tonumber(record[last])
    return count > 0 and record[array] ~= nil and tonumber(record[array][count - 1]) or 0
  end
  local vector, index = dimension:match "^([%w_]+)%[(%d+)%]$"
  if vector then return tonumber(record[vector][tonumber(index)]) end
  if dimension == "particles of the type" then return (widths_by_type[record.type] or {})[1] end
  if dimension == "parameters of the type" then return (widths_by_type[record.type] or {})[2] end
  return context and context[dimension]
end

--- Compares the length of an array with its counts. A count that nothing else has told follows from the length.
function dimensions.settle(struct, record, field, length, given, path, context)
  local product, unknown, first = 1, nil, nil
  for _, dimension in ipairs(field.dimensions) do
    local value = dimension
    if struct.by_name[dimension] then
      first = first or dimension
      value = given[dimension] and tonumber(record[dimension])
      if not value then unknown, value = unknown and errors.argument("%s needs %s", path, dimension) or dimension, 1 end
    elseif type(dimension) == "string" then
      value = dimensions.computed(dimension, record, context)
      if not value then return end
    end
    product = product * value
  end
  if unknown then
    if not length then
      errors.argument("%s is a pointer, whose length is not known; give %s too, or an array of ffi", path, unknown)
    end
    if product == 0 or length % product ~= 0 then
      errors.argument("%s has %d numbers; want a multiple of %d", path, length, product)
    end
    record[unknown] = length / product
    given[unknown] = "derived"
  elseif length and (length < product or length > product and given[first] ~= true) then
    errors.argument("%s has %d numbers; want %d%s", path, length, product,
      first and (", as %s is %d"):format(first, tonumber(record[first])) or "")
  end
end

--- Of an array with gaps, only the bytes from its begin to its end can be checked.
function dimensions.check_stride(record, field, value, given, path)
  local count, stride = field.dimensions[1], tonumber(record[field.stride])
  if type(value) ~= "cdata" or select(2, arrays.element_of(value)) == "neither" then
    errors.argument("%s is %s; with %s it must be an array of ffi", path, values.describe(value), field.stride)
  end
  if not given[count] then errors.argument("%s needs %s, as it has %s", path, count, field.stride) end
  local size = field.type == "void" and record.index_size or 4
  local needed = (tonumber(record[count]) - 1) * stride + (field.dimensions[2] or 1) * size
  if arrays.is_array(value) and ffi.sizeof(value) < needed then
    errors.argument("%s has %d bytes; want %d, as %s is %d and %s is %d", path, ffi.sizeof(value), needed, count,
      tonumber(record[count]), field.stride, stride)
  end
end

return dimensions
