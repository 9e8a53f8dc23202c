-- threads.lua - Lua states in other threads of the operating system, for tests. A state of its own is what LuaJIT needs
-- in each thread; a thread enters its state by a callback that the state has made.
local ffi = require "ffi"
local suite = require "suite"

ffi.cdef [[
typedef struct lua_State lua_State;
lua_State* luaL_newstate(void);
void luaL_openlibs(lua_State* state);
int luaL_loadstring(lua_State* state, const char* text);
int lua_pcall(lua_State* state, int argument_count, int result_count, int handler);
const char* lua_tolstring(lua_State* state, int index, size_t* length);
double lua_tonumber(lua_State* state, int index);
void lua_settop(lua_State* state, int index);
void lua_close(lua_State* state);
typedef void* (*clothc_test_entry)(void* argument);
int pthread_create(unsigned long* thread, const void* attributes, clothc_test_entry entry, void* argument);
int pthread_join(unsigned long thread, void** result);
]]

local C = ffi.C
local threads = {}

local function start(entry, argument)
  local thread = ffi.new "unsigned long[1]"
  suite.equal(C.pthread_create(thread, nil, ffi.cast("clothc_test_entry", entry), argument), 0, "pthread_create")
  return function() suite.equal(C.pthread_join(thread[0], nil), 0, "pthread_join") end
end

--- Runs a chunk in a state, on the calling thread, and returns its result as text and as a number.
local function run(state, chunk)
  local status = C.luaL_loadstring(state, chunk)
  if status == 0 then status = C.lua_pcall(state, 0, 1, 0) end
  local number, text = C.lua_tonumber(state, -1), C.lua_tolstring(state, -1, nil)
  text = text ~= nil and ffi.string(text) or ""
  C.lua_settop(state, 0)
  if status ~= 0 then error("the other state failed: " .. text, 3) end
  return text, number
end

--- Makes a state that has the binding on its path, and runs a chunk in it on the calling thread.
function threads.state(chunk)
  local state = C.luaL_newstate()
  suite.holds(state ~= nil, "luaL_newstate gave NULL")
  C.luaL_openlibs(state)
  run(state, ("package.path = %q"):format(package.path))
  if chunk then run(state, chunk) end
  return state
end

--- Runs a chunk in a state on a new thread. Returns a function that waits for it and returns its result as text.
function threads.start(state, chunk)
  local _, address = run(state, ([[
    local ffi = require "ffi"
    local body = assert(loadstring(%q))
    entry = ffi.cast("void* (*)(void*)", function()
      succeeded, result = pcall(body)
      return nil
    end)
    return tonumber(ffi.cast("intptr_t", entry))
  ]]):format(chunk))
  local join = start(ffi.cast("void*", ffi.cast("intptr_t", address)), nil)
  return function()
    join()
    return (run(state, "assert(succeeded, tostring(result)); return tostring(result)"))
  end
end

--- Closes a state on a new thread, which runs all its finalisers there. Returns a function that waits for it.
function threads.close(state)
  return start(C.lua_close, state)
end

return threads
