-- garbage_test.lua - every method with every kind of wrong argument: it succeeds or raises an error of clothc, whose
-- message is for the program's author, and the process survives.
local ffi = require "ffi"
local clothc = require "clothc"
local sheets = require "sheets"
local suite = require "suite"

local world = sheets.world()
local device, solver = world.device, world.solver
local group = solver:add_group {positions = {{0, 0, 0, 1}, {1, 0, 0, 1}}}
local buffer = device:create_buffer {count = 4}
-- Its value is so high that no wait for one of the numbers below lasts.
local fence = device:create_fence(2 ^ 53)

local function nothing() end

local garbage = {
  0, -1, 0.5, 0 / 0, math.huge, 2 ^ 32, 2 ^ 60, true, "", "position", ("x"):rep(1000), nothing, {}, {1, 2, 3},
  {{}}, {{1}, {2}}, {{{}}}, {"a", "b"}, {false}, {id = "x"}, {id = 2 ^ 40}, {handle = 5}, {kind = "buffer"},
  {kind = "fabric", handle = nothing}, {is_mapping = true}, {unknown = 1}, {count = -1}, {count = 1e15}, {flags = "no"},
  {flags = {{}}}, {flags = {true}}, {view = 5}, {view = {}}, {regions = {5}}, {regions = {{count = 2 ^ 31}}},
  {parameters = 5}, {positions = {nothing}}, {positions = {{1, 2}, 3}}, {positions = device}, {fabric = {}},
  {memory = 5}, {kind = "wrapped_host", count = 1}, {kind = "wrapped_host", memory = 5}, {constraint_sets = {5}},
  {constraint_sets = {{type = 99, particles = {1, 2}}}}, {phase_configs = {{}, 5}}, {instances = {{1}}}, {dt = {}},
  {wait_fence = 5}, {wait_fence = solver}, {uuid = "short"}, {external = 5}, {gravity = {1, 2}}, {gravity = 5},
  {values = {1}, counts = {2, 2, 2}}, {values = {1}, counts = {2 ^ 32, 0, 0}}, {convex_ends = {5}, convex_planes = {}},
  device, solver, world.cloth, world.fabric, buffer, fence, ffi.new "float[3]", ffi.new "double[4]", ffi.new "int",
  ffi.cast("float*", nil), ffi.new "uint64_t", 5LL, clothc.struct "update", clothc.struct "view",
  ffi.new "struct clothc_region", ffi.typeof "float", clothc, print,
}

--- Objects and methods to call. What would end the objects is left out: other tests do it.
local ending = {destroy = true, remove = true, own = true}
local owners = {
  clothc = clothc, device = device, solver = solver, cloth = world.cloth, group = group, fabric = world.fabric,
  buffer = buffer, fence = fence, set = solver:create_collider_set(),
  mapping = device:create_buffer({count = 4}):map "read write",
}

--- The public methods of an object or functions of a module. Those of a base class come with it.
local function methods(owner)
  local found = {}
  local class = getmetatable(owner) or owner
  local bases = {class, (getmetatable(class) or {}).__index}
  for _, base in ipairs(bases) do
    for name, value in pairs(type(base) == "table" and base or {}) do
      if type(value) == "function" and not name:find "^__" and not ending[name] then found[name] = value end
    end
  end
  return found
end

-- These are called by the binding only.
local internal = {begin = true, forget_mapping = true, remember_binding = true, forget_bindings = true, new = true,
                  create = true, create_cuda = true, create_vulkan = true, vulkan_requirements = true, enumerate = true,
                  cook = true, load = true, import = true, add = true, with = true}

local function try(name, call, ...)
  local succeeded, failure = pcall(call, ...)
  if succeeded or type(failure) == "table" and failure.code then return 1 end
  error(("%s raised %s"):format(name, tostring(failure)), 0)
end

--- Calls a method with each wrong value at each position, with valid values before it. Returns the number of calls.
local function try_all(name, call, first)
  local calls, most = 0, debug.getinfo(call, "u").nparams
  for index = 1, #garbage do
    local label = ("%s with value %d"):format(name, index)
    local arguments = {first}
    local begin = #arguments
    if begin < most then
      arguments[begin + 1] = garbage[index]
      calls = calls + try(label, call, unpack(arguments, 1, begin + 1))
    end
    for _, valid in ipairs(begin + 1 < most and {"position", "read", 0, buffer, {{0, 1}}} or {}) do
      arguments[begin + 1], arguments[begin + 2] = valid, garbage[index]
      calls = calls + try(label .. " behind a valid one", call, unpack(arguments, 1, begin + 2))
      arguments[begin + 2], arguments[begin + 3] = buffer, garbage[index]
      calls = calls + try(label .. " behind two valid ones", call, unpack(arguments, 1, begin + 3))
      arguments[begin + 3] = nil
    end
  end
  return calls + try(name .. " without arguments", call, first)
end

for name, owner in pairs(owners) do
  suite.test(("methods of %s survive every argument"):format(name), function()
    local calls = 0
    for method, call in pairs(methods(owner)) do
      if owner == clothc or not internal[method] then
        calls = calls + try_all(name .. "." .. method, call, owner ~= clothc and owner or nil)
      end
    end
    suite.holds(calls > #garbage, "only " .. calls .. " calls were made")
    collectgarbage()
  end)
end
