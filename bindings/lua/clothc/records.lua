-- records.lua - makes structs of C from tables, and tables from structs, by the descriptions in structs.lua. A table
-- has the names of the C fields. Counts follow from the arrays, unless they are given.
-- Invariant: whoever passes a struct to the library holds the anchors returned with it until the call has returned.
local ffi = require "ffi"
local C = require "clothc.library".C
local arrays = require "clothc.arrays"
local dimensions = require "clothc.dimensions"
local errors = require "clothc.errors"
local objects = require "clothc.objects"
local structs = require "clothc.structs"
local values = require "clothc.values"

local records = {}

-- What structs.lua tells, by field, and the arrays in the order in which counts can follow from them: first those with
-- one count.
for name, struct in pairs(structs) do
  if struct.fields then
    struct.c_type = ffi.typeof("clothc_" .. name)
    struct.by_name, struct.names, struct.arrays = {}, {}, {}
    for index, field in ipairs(struct.fields) do
      field.index = index
      struct.by_name[field.name] = field
      struct.names[index] = field.name
      if field.dimensions then struct.arrays[#struct.arrays + 1] = field end
    end
    local function named_count(field)
      local count = 0
      for _, dimension in ipairs(field.dimensions) do count = count + (type(dimension) == "string" and 1 or 0) end
      return count
    end
    table.sort(struct.arrays, function(a, b)
      local first, second = named_count(a), named_count(b)
      return first < second or first == second and a.index < b.index
    end)
  end
end

local function initialise(struct, pointer)
  if struct.kind then errors.check(C.clothc_struct_init(struct.kind, pointer, ffi.sizeof(struct.c_type))) end
end

--- Returns a struct with its defaults.
function records.new(name)
  local struct = structs[name]
  local record = struct.c_type()
  initialise(struct, record)
  return record
end

-- ---------------------------------------------------------------------------------------------------- single fields

local function set_vector(record, field, value, path)
  if type(value) ~= "table" or #value ~= field.extent then
    errors.argument("%s is %s; want a table of %d numbers", path,
      type(value) == "table" and ("a table of %d"):format(#value) or values.describe(value), field.extent)
  end
  local target = record[field.name]
  for index = 1, field.extent do
    local element = ("%s[%d]"):format(path, index)
    target[index - 1] = field.type == "float" and values.number(value[index], element)
      or values.integer(value[index], field.type, element)
  end
end

--- An address of memory that is not the binding's: a pointer or array of ffi, or a number.
function records.address(value, path)
  if type(value) == "number" or type(value) == "cdata" and tonumber(value) then
    return ffi.cast("void*", ffi.cast("uintptr_t", values.integer(value, "uint64", path)))
  end
  if type(value) ~= "cdata" then
    errors.argument("%s is %s; want a pointer or array of ffi, or an address", path, values.describe(value))
  end
  return ffi.cast("void*", value)
end

local setters = {}

function setters.number(record, field, value, path)
  if field.group then
    record[field.name] = values.constant(value, field.group, path)
  elseif field.type == "float" or field.type == "double" then
    record[field.name] = values.number(value, path)
  else
    record[field.name] = values.integer(value, field.type, path)
  end
end

setters.vector = set_vector

function setters.bytes(record, field, value, path)
  if type(value) ~= "string" then return set_vector(record, field, value, path) end
  if #value ~= field.extent then errors.argument("%s has %d bytes; want %d", path, #value, field.extent) end
  ffi.copy(record[field.name], value, field.extent)
end

function setters.text(_, _, _, path)
  errors.argument("%s is only read", path)
end

function setters.callback(_, _, _, path)
  errors.argument("%s is a callback, and those are not offered: other threads call it, and no other thread may run a "
    .. "Lua function; messages of failing calls are in the errors that they raise", path)
end

function setters.handle(record, field, value, path)
  record[field.name] = objects.handle(value, field.type, path)
end

function setters.address(record, field, value, path, anchors)
  record[field.name] = records.address(value, path)
  anchors[#anchors + 1] = value
end

--- The address of a function that is not of Lua, which any thread may call.
setters["function"] = function(record, field, value, path)
  record[field.name] = ffi.cast(field.type, records.address(value, path))
end

function setters.string(record, field, value, path, anchors)
  if type(value) ~= "string" then errors.argument("%s is %s; want a string", path, values.describe(value)) end
  record[field.name] = value
  anchors[#anchors + 1] = value
end

function setters.record(record, field, value, path, anchors)
  local inner, inner_anchors = records.build(field.type, value, path)
  record[field.name] = inner
  anchors[#anchors + 1] = inner
  anchors[#anchors + 1] = inner_anchors
end

-- ---------------------------------------------------------------------------------------------------- arrays

local function set_array(struct, record, field, value, given, path, anchors, context)
  if field.stride and record[field.stride] ~= 0 then
    dimensions.check_stride(record, field, value, given, path)
    record[field.name] = ffi.cast("const void*", value)
    anchors[#anchors + 1] = value
    return
  end
  local kind = field.type
  if kind == "void" then kind = record.index_size == 2 and "uint16" or "uint32" end
  local width = field.dimensions[2] and field.dimensions[#field.dimensions]
  if type(width) == "string" and width:find " of the type" then width = dimensions.computed(width, record) end
  local pointer, length, anchor = arrays.pointer(value, kind, type(width) == "number" and width or nil, path)
  dimensions.settle(struct, record, field, length, given, path, context)
  record[field.name] = pointer
  anchors[#anchors + 1] = anchor
end

--- Returns an array of structs, their number, and its anchors, from a list of tables.
function records.list(name, list, path)
  if type(list) ~= "table" then errors.argument("%s is %s; want a list of tables", path, values.describe(list)) end
  if #list == 0 then return nil, 0, {} end
  local struct, anchors = structs[name], {}
  local array = ffi.new(ffi.typeof("$[?]", struct.c_type), #list)
  for index, value in ipairs(list) do
    initialise(struct, array + index - 1)
    records.fill(name, array[index - 1], value, ("%s[%d]"):format(path, index), anchors)
  end
  anchors[#anchors + 1] = array
  return array, #list, anchors
end

local function set_records(struct, record, field, value, given, path, anchors)
  local array, count, inner = records.list(field.type, value, path)
  dimensions.settle(struct, record, field, count, given, path)
  record[field.name] = array
  anchors[#anchors + 1] = inner
end

-- ---------------------------------------------------------------------------------------------------- whole structs

--- Writes the fields of a table into a struct.
---@param context? table what dimensions stand for that are no fields, such as particle_count
function records.fill(name, record, value, path, anchors, context)
  local struct = structs[name]
  if type(value) ~= "table" then errors.argument("%s is %s; want a table", path, values.describe(value)) end
  local given = {}
  for key, element in pairs(value) do
    local field = struct.by_name[key]
    if not field then errors.unknown(path, key, struct.names) end
    given[key] = true
    if not field.dimensions then setters[field.form](record, field, element, path .. "." .. key, anchors) end
  end
  for _, field in ipairs(struct.arrays) do
    local element = value[field.name]
    if element ~= nil then
      local set = field.form == "records" and set_records or set_array
      set(struct, record, field, element, given, path .. "." .. field.name, anchors, context)
    end
  end
end

--- Returns a struct and its anchors. A program gives a table, nil for the defaults, or such a struct itself.
function records.build(name, value, path, context)
  local struct = structs[name]
  if type(value) == "cdata" then
    if ffi.istype(struct.c_type, value) or ffi.istype(ffi.typeof("$*", struct.c_type), value) then return value end
    errors.argument("%s is %s; want clothc_%s", path, values.describe(value), name)
  end
  local record, anchors = records.new(name), {}
  if value ~= nil then records.fill(name, record, value, path, anchors, context) end
  return record, anchors
end

-- ---------------------------------------------------------------------------------------------------- reading

local readers = {}

--- Counts and timeline values are exact as numbers. Hashes use all 64 bits and stay uint64_t.
function readers.number(record, field)
  local value = record[field.name]
  if type(value) == "cdata" and not field.name:find "hash" then return tonumber(value) end
  return value
end

function readers.text(record, field)
  return ffi.string(record[field.name])
end

function readers.bytes(record, field)
  return ffi.string(record[field.name], field.extent)
end

--- A vector begins at 1, as tables do; an array by constants, such as part_ns, begins at 0, as they do.
function readers.vector(record, field)
  local list, shift = {}, field.group and 0 or 1
  for index = 0, field.extent - 1 do list[index + shift] = tonumber(record[field.name][index]) end
  return list
end

--- Returns the fields of a struct as a table, without pointers.
function records.read(name, record)
  local result = {}
  for _, field in ipairs(structs[name].fields) do
    local reader = readers[field.form]
    if reader then result[field.name] = reader(record, field) end
  end
  return result
end

--- Calls a function of the library that fills a struct, with up to two arguments before it. into: a struct to fill and
--- return, which makes no garbage; nil returns a table.
function records.receive(name, into, call, first, second)
  local record = into == nil and records.new(name) or records.build(name, into, name)
  if second == nil then
    errors.check(call(first, record))
  else
    errors.check(call(first, second, record))
  end
  return into == nil and records.read(name, record) or into
end

return records
