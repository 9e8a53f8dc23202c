-- header.lua - gives the preprocessed headers to ffi as they are, in a Lua state without the binding, and prints the
-- lines of clothc_layout for them. Usage: luajit header.lua PREPROCESSED < LINES
local ffi = require "ffi"
local layout = require "layout"

ffi.cdef(assert(io.open(arg[1])):read "*a")
local C = ffi.load(os.getenv "CLOTHC_LIBRARY")
print("version " .. C.clothc_version())
-- Macros are gone after the preprocessor, so only enumerators are constants of the header.
for line in io.lines() do
  local is_known, value = pcall(layout.line, line, function(name) return ffi.C[name] end)
  print(is_known and value or "macro " .. line:match "^constant ([%w_]+) ")
end
