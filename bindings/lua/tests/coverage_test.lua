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
    local is_used = sources:find("C%." .. name .. "%f[^%w_]")
      or sources:find('objects.class%("%l+", "' .. name .. '"%)')
    suite.holds(is_used, name .. " is not used by the layer")
  end
end)

--- The public methods and functions of the sources, with the names of their arguments, as docs/api.md writes them.
local function public_signatures()
  local found = {}
  for before, class, separator, name, arguments in
    handwritten_sources():gmatch "([^\n]*)\nfunction ([%u][%w]+)([:%.])([%l][%w_]*)(%b())" do
    if separator == ":" and not before:find "@package" then found[class:lower() .. ":" .. name .. arguments] = true end
  end
  -- Every class with a handle has destroy from objects.lua, and channels is also a function without a solver.
  for _, class in ipairs {"fabric", "solver", "fence"} do found[class .. ":destroy()"] = true end
  found["solver:channels()"] = true
  return found
end

suite.test("docs/api.md lists every public method with its arguments, and no other", function()
  local signatures, listed = public_signatures(), {}
  for signature in read(suite.folder .. "../docs/api.md"):gmatch "\n| `(%l+:[^`]+)`" do
    listed[signature:gsub("[%[%]]", "")] = true
  end
  for signature in pairs(signatures) do suite.holds(listed[signature], "docs/api.md lacks " .. signature) end
  for signature in pairs(listed) do
    suite.holds(signatures[signature], "docs/api.md has " .. signature .. ", which is not a method")
  end
end)

suite.test("docs/api.md lists every function of the module", function()
  local clothc, page = require "clothc", read(suite.folder .. "../docs/api.md")
  for name, value in pairs(clothc) do
    local is_listed = page:find("`clothc." .. name .. "(", 1, true)
    suite.holds(type(value) ~= "function" or is_listed, "docs/api.md lacks " .. name)
  end
  for name in page:gmatch "`clothc%.([%l_]+)%(" do
    suite.equal(type(clothc[name]), "function", "the type of clothc." .. name)
  end
end)

suite.test("the rockspec names every file", function()
  local rockspec = read(suite.folder .. "../clothc-0.1.0-1.rockspec")
  for path in suite.output("ls " .. suite.folder .. "../clothc/*.lua"):gmatch "[^\n]+" do
    local name = path:match "([%w_]+)%.lua$"
    suite.holds(rockspec:find('"clothc/' .. name .. '.lua"', 1, true), "the rockspec lacks " .. name)
  end
end)
