-- library.lua - finds and loads the shared library. This is the raw layer: C holds the functions of clothc.h,
-- clothc_cuda.h and clothc_vulkan.h, which take and return cdata and plain numbers.
local ffi = require "ffi"
require "clothc.declarations"
local constants = require "clothc.constants"

--- The names to load, in order. CLOTHC_LIBRARY overrides them.
local function candidates()
  local path = os.getenv "CLOTHC_LIBRARY"
  if path and path ~= "" then return {path} end
  if ffi.os == "Windows" then return {"clothc"} end
  if ffi.os == "OSX" then return {"libclothc.0.dylib", "clothc"} end
  return {"libclothc.so.0", "clothc"}
end

local function load_library()
  local reasons = {}
  for _, name in ipairs(candidates()) do
    local is_loaded, result = pcall(ffi.load, name)
    if is_loaded then return result end
    reasons[#reasons + 1] = tostring(result)
  end
  error("the clothc library was not found; put its folder on the search path of libraries (LD_LIBRARY_PATH), or its "
    .. "full path into CLOTHC_LIBRARY: " .. table.concat(reasons, "; "), 0)
end

---@type clothc.C
local C = load_library()

-- Structs only grow, so a newer library of the same major version works, and an older one does not.
local version = C.clothc_version()
local major, minor = bit.rshift(version, 16), bit.band(bit.rshift(version, 8), 0xff)
if major ~= constants.VERSION_MAJOR or minor < constants.VERSION_MINOR then
  error(("the clothc library has version %d.%d; this binding needs %d.%d or a later %d.x"):format(
    major, minor, constants.VERSION_MAJOR, constants.VERSION_MINOR, constants.VERSION_MAJOR), 0)
end

return {C = C, ffi = ffi}
