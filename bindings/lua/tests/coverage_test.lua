-- coverage_test.lua - every function of bindings/clothc.json is declared, exported by the library, and used by the
-- idiomatic layer.
local C = require "clothc.library".C
local suite = require "suite"

local generated = {declarations = true, constants = true, structs = true, annotations = true}

local function read(path)
  local file = assert(io.open(path))
  local text = file:read "*a"
  file:close()
  return text
end

local function functions()
  local list = {}
  local json = read(suite.folder .. "../../clothc.json"):match '"functions": %[(.*)$'
  for name in json:gmatch '\n   "name": "(clothc_[%w_]+)"' do list[#list + 1] = name end
  return list
end

local function handwritten_sources()
  local text = {read(suite.folder .. "../clothc.lua")}
  for path in suite.output("ls " .. suite.folder .. "../clothc/*.lua"):gmatch "[^\n]+" do
    if not generated[path:match "([%w_]+)%.lua$"] then text[#text + 1] = read(path) end
  end
  return table.concat(text)
end

suite.test("every function of the headers can be called, and the layer calls it", function()
  local names, sources = functions(), handwritten_sources()
  suite.holds(#names >= 79, "bindings/clothc.json has only " .. #names .. " functions")
  for _, name in ipairs(names) do
    suite.holds(C[name] ~= nil, name .. " is not exported")
    suite.holds(sources:find("C%." .. name .. "%f[^%w_]"), name .. " is not used by the layer")
  end
end)
