-- clothc.lua - clothc for LuaJIT: a cloth simulation library. This module holds the constants by group, such as
-- clothc.channel.POSITION, and the functions that need no object; the rest are methods of the objects they return.
-- README.md has an example, docs/api.md lists everything.
local ffi = require "ffi"
local C = require "clothc.library".C
local colliders = require "clothc.colliders"
local constants = require "clothc.constants"
local Device = require "clothc.device"
local errors = require "clothc.errors"
local records = require "clothc.records"
local Solver = require "clothc.solver"
local structs = require "clothc.structs"
local values = require "clothc.values"

local clothc = {}

--- A constant that is misspelt is an error, not nil.
local function strict(group)
  local names = {}
  for name in pairs(constants[group]) do names[#names + 1] = name end
  table.sort(names)
  return setmetatable(constants[group], {
    __index = function(_, name) errors.unknown("clothc." .. group, name, names) end,
  })
end

for group, members in pairs(constants) do
  if group ~= "flags" then clothc[group] = type(members) == "table" and strict(group) or members end
end

--- Returns the version of the loaded library, such as "0.1.0".
---@return string
function clothc.version()
  local version = C.clothc_version()
  return ("%d.%d.%d"):format(bit.rshift(version, 16), bit.band(bit.rshift(version, 8), 0xff), bit.band(version, 0xff))
end

clothc.devices = Device.enumerate
clothc.create_device = Device.create
clothc.create_cuda_device = Device.create_cuda
clothc.create_vulkan_device = Device.create_vulkan
clothc.vulkan_requirements = Device.vulkan_requirements
clothc.cook_sdf = colliders.cook_sdf

--- Describes all channels, without their counts.
---@return clothc.channel_info[]
function clothc.channels()
  return Solver.channels(nil)
end

--- Describes all parameters of cloths.
---@return clothc.parameter_info[]
function clothc.parameters()
  local list = {}
  for index = 0, math.huge do
    local record = records.new "parameter_info"
    local result = C.clothc_parameter_describe(index, record)
    if result == constants.result.ERROR_INVALID_ARGUMENT then return list end
    errors.check(result)
    list[index + 1] = records.read("parameter_info", record)
  end
end

--- Returns a struct of C with its defaults and the given fields, for calls that are made every frame: update,
--- cloth_parameters, cloth_frame, and those that methods fill. It takes only fields that are not pointers, since a
--- struct does not keep alive what it points to.
---@param name string name of the struct without clothc_, such as "cloth_parameters"
---@param fields? table
---@return ffi.cdata*
function clothc.struct(name, fields)
  local known = {}
  for struct in pairs(structs) do known[#known + 1] = structs[struct].fields and struct or nil end
  table.sort(known)
  if type(name) ~= "string" or not (structs[name] and structs[name].fields) then
    errors.unknown("clothc.struct", name, known)
  end
  local record, anchors = records.build(name, fields, name)
  if anchors and #anchors > 0 then
    errors.argument("%s would point to memory that nothing keeps alive; give a table to the call itself", name)
  end
  return record
end

--- Returns the name of a result, such as "CLOTHC_ERROR_CAPACITY".
---@param result integer
---@return string
function clothc.result_name(result)
  return ffi.string(C.clothc_result_name(values.integer(result, "int32", "result")))
end

return clothc
