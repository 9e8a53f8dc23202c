-- fabric.lua - fabrics: the cooked, immutable constraints of a piece of cloth.
local ffi = require "ffi"
local C = require "clothc.library".C
local arrays = require "clothc.arrays"
local constants = require "clothc.constants"
local errors = require "clothc.errors"
local objects = require "clothc.objects"
local records = require "clothc.records"
local structs = require "clothc.structs"
local values = require "clothc.values"

local check = errors.check

---@class clothc.Fabric
---@field device clothc.Device
local Fabric = objects.class("fabric", "clothc_fabric_destroy")

local function own(device, handle)
  return Fabric.own(handle[0], {device = device})
end

--- Arrays of ffi with indices of two bytes say so by their type.
local function with_index_size(mesh)
  local faces = type(mesh) == "table" and mesh.index_size == nil and (mesh.triangles or mesh.quads)
  if type(faces) ~= "cdata" or not arrays.element_of(faces):find "short" then return mesh end
  local copy = {index_size = 2}
  for key, value in pairs(mesh) do copy[key] = value end
  return copy
end

--- device:cook_fabric calls this.
---@param mesh clothc.mesh_desc
function Fabric.cook(device, mesh)
  local record, anchors = records.build("mesh_desc", with_index_size(mesh), "mesh")
  local handle = ffi.new "clothc_fabric[1]"
  check(C.clothc_fabric_cook(device.handle, record, handle), anchors)
  return own(device, handle)
end

--- device:create_fabric calls this.
---@param desc clothc.fabric_desc
function Fabric.create(device, desc)
  local record, anchors = records.build("fabric_desc", desc, "fabric")
  local handle = ffi.new "clothc_fabric[1]"
  check(C.clothc_fabric_create(device.handle, record, handle), anchors)
  return own(device, handle)
end

--- device:load_fabric calls this.
---@param blob string what save has returned
function Fabric.load(device, blob)
  if type(blob) ~= "string" then errors.argument("blob is %s; want a string", values.describe(blob)) end
  local handle = ffi.new "clothc_fabric[1]"
  check(C.clothc_fabric_load(device.handle, blob, #blob, handle))
  return own(device, handle)
end

--- Returns the fabric as a string of bytes that device:load_fabric reads on any machine.
---@return string
function Fabric:save()
  return objects.text(C.clothc_fabric_save, self.handle)
end

--- Says what the fabric holds.
---@param into? ffi.cdata* clothc_fabric_info to fill
---@return clothc.fabric_info
function Fabric:info(into)
  return records.receive("fabric_info", into, C.clothc_fabric_get_info, self.handle)
end

--- Returns what the cooker found in the mesh, as a list.
---@return clothc.diagnostic[]
function Fabric:diagnostics()
  local list = {}
  for index = 0, self:info().diagnostic_count - 1 do
    list[index + 1] = records.receive("diagnostic", nil, C.clothc_fabric_get_diagnostic, self.handle, index)
  end
  return list
end

local element_types = {}
for name, element in pairs(structs.fabric_array_types) do
  element_types[constants.fabric_array[name]] = ffi.typeof(element .. "[?]")
end

--- Returns one array of the fabric as an array of ffi, of float or uint32_t, and its length.
---@param array clothc.fabric_array such as "vertex_map"
function Fabric:read(array)
  local number = values.constant(array, "fabric_array", "array")
  local size = ffi.new "uint64_t[1]"
  check(C.clothc_fabric_read(self.handle, number, nil, size))
  local count = tonumber(size[0]) / 4
  local data = element_types[number](count)
  if count > 0 then check(C.clothc_fabric_read(self.handle, number, data, size)) end
  return data, count
end

return Fabric
