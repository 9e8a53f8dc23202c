-- reload.lua - loads the library, uses it, lets the collector unload it, and does so again. It prints the hash of each
-- round, or fails if the library stays loaded.
local ffi = require "ffi"

local function is_loaded()
  local file = assert(io.open "/proc/self/maps")
  local maps = file:read "*a"
  file:close()
  return maps:find("libclothc", 1, true) ~= nil
end

local function simulate()
  local world = require "sheets".world()
  local buffer = world.device:create_buffer {count = world.count}
  for _ = 1, 5 do world.solver:update() end
  world.solver:get("position", buffer)
  assert(is_loaded())
  return (world.solver:state_hash())
end

for _ = 1, 10 do
  print((simulate()))
  for name in pairs(package.loaded) do
    if name:find "^clothc" or name == "sheets" then package.loaded[name] = nil end
  end
  -- The compiler keeps the constants of its traces, which hold the library.
  jit.flush()
  for _ = 1, 5 do collectgarbage() end
  if is_loaded() then error "the library is still loaded" end
end

-- Without the binding: the library by itself can be opened and closed too.
ffi.cdef "void* dlopen(const char* path, int flags); int dlclose(void* library); void* dlsym(void*, const char*);"
for _ = 1, 20 do
  local library = ffi.C.dlopen(os.getenv "CLOTHC_LIBRARY", 2)
  assert(library ~= nil)
  local version = ffi.cast("uint32_t (*)(void)", ffi.C.dlsym(library, "clothc_version"))
  assert(version() >= 256)
  assert(ffi.C.dlclose(library) == 0 and not is_loaded())
end
