-- objects.lua - what all objects with a handle share: they own it, and the garbage collector destroys it.
-- Invariants: the finaliser belongs to the handle, not to the table, so it runs once. Collection has no order: a
-- finaliser may find that its device is gone, which the library says by INVALID_HANDLE and which does not matter. An
-- object holds its device, so no device is collected before what was made from it.
local ffi = require "ffi"
local C = require "clothc.library".C
local constants = require "clothc.constants"
local errors = require "clothc.errors"

local objects = {}

-- The classes by the kinds of their objects.
local classes = {}

--- Makes a class whose objects have a handle. kind is what messages call them. destroy names the function of the
--- library.
function objects.class(kind, destroy)
  local class = {kind = kind}
  class.__index = class
  classes[kind] = class

  -- A finaliser looks its function up in C, and so holds C: the library stays loaded until all finalisers have run. The
  -- function alone would not hold it.
  local function finalise(handle) C[destroy](handle) end

  --- Returns an object that owns a handle. anchor stays alive until the library no longer uses it.
  function class.own(handle, fields, anchor)
    local finaliser = finalise
    if anchor ~= nil then
      finaliser = function(owned)
        C[destroy](owned)
        return anchor -- which a function that names it keeps alive
      end
    end
    fields.handle = ffi.gc(handle, finaliser)
    return setmetatable(fields, class)
  end

  --- Destroys the object. Returns false if it had been destroyed before, by itself or together with its device.
  function class:destroy()
    local result = C[destroy](self.handle)
    if result ~= constants.result.ERROR_INVALID_HANDLE then errors.check(result) end
    ffi.gc(self.handle, nil)
    return result == constants.result.SUCCESS
  end

  function class:__tostring()
    return ("clothc %s %s"):format(kind, tostring(self.handle):match "0x%x+" or "?")
  end

  return class
end

--- Returns the handle of an object that must be of a kind, for functions that take it as an argument.
function objects.handle(object, kind, path)
  if getmetatable(object) ~= classes[kind] then
    local found = type(object) == "table" and object.kind or type(object)
    errors.argument("%s is %s; want a %s", path, tostring(found), kind)
  end
  return object.handle
end

--- Returns the text that a function of the library writes in two calls: the first asks for the size.
function objects.text(call, handle)
  local size = ffi.new "uint64_t[1]"
  errors.check(call(handle, nil, size))
  local data = ffi.new("uint8_t[?]", size[0])
  errors.check(call(handle, data, size))
  return ffi.string(data, size[0])
end

return objects
