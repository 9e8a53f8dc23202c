-- layout_test.lua - sizes, offsets and constants of the generated declarations are those of the C compiler, and ffi
-- also takes the headers themselves.
local ffi = require "ffi"
local constants = require "clothc.constants"
local layout = require "layout"
local structs = require "clothc.structs"
local suite = require "suite"
require "clothc"

local lines = {}
for line in suite.output(suite.environment "CLOTHC_LAYOUT"):gmatch "[^\n]+" do lines[#lines + 1] = line end

--- Finds a constant by its name in C, and notes that it was seen.
local seen = {}
local function constant(name)
  local short = name:gsub("^CLOTHC_", "")
  if constants[short] then return constants[short] end
  for group, members in pairs(constants) do
    local prefixes = {group:upper(), group:upper():gsub("_[A-Z]+$", ""), group:upper():gsub("^[A-Z]+_", "")}
    if group == "result" then prefixes = {""} end
    for _, prefix in ipairs(prefixes) do
      local head = prefix == "" and "" or prefix .. "_"
      if type(members) == "table" and group ~= "flags" and short:sub(1, #head) == head then
        local member = short:sub(#head + 1)
        if rawget(members, member) then
          seen[group .. "." .. member] = true
          return members[member]
        end
      end
    end
  end
  error("no group has " .. name)
end

suite.test("sizes, offsets and constants are those of the C compiler", function()
  suite.holds(#lines > 600, "clothc_layout printed only " .. #lines .. " lines")
  for _, line in ipairs(lines) do suite.equal(layout.line(line, constant), line) end
end)

suite.test("no group has a constant that the headers lack", function()
  for group, members in pairs(constants) do
    for name in pairs(type(members) == "table" and group ~= "flags" and members or {}) do
      suite.holds(seen[group .. "." .. name], group .. "." .. name .. " is not in the headers")
    end
  end
end)

suite.test("the descriptions of structs name each field, but for sizes and reserved ones", function()
  local described, listed = 0, 0
  for _, struct in pairs(structs) do described = described + (struct.fields and #struct.fields or 0) end
  for _, line in ipairs(lines) do
    local field = line:match "^field [%w_]+%.([%w_]+)"
    if field and field ~= "struct_size" and not field:find "^reserved" then listed = listed + 1 end
  end
  suite.equal(described, listed, "the number of fields")
end)

suite.test("ffi.cdef takes the headers after the preprocessor, with the same sizes and offsets", function()
  local folder = suite.environment "CLOTHC_BUILD_DIR"
  local include = suite.folder .. "../../../include"
  local preprocessed, input = folder .. "/lua_header.i", folder .. "/lua_layout.txt"
  suite.output(("cc -E -P -I%s -include clothc_cuda.h %s/clothc_vulkan.h -o %s"):format(include, include, preprocessed))
  suite.output(("%s > %s"):format(suite.environment "CLOTHC_LAYOUT", input))
  local program = ("%sprograms/header.lua %s < %s"):format(suite.folder, preprocessed, input)
  local found = suite.output(suite.luajit(program))
  local wanted = {"version " .. require "clothc.library".C.clothc_version()}
  for _, line in ipairs(lines) do
    local macro = line:match "^constant (CLOTHC_VERSION_%u+) " or line:match "^constant (CLOTHC_WAIT_FOREVER) "
      or line:match "^constant (CLOTHC_VULKAN_NO_QUEUE_FAMILY) "
    wanted[#wanted + 1] = macro and "macro " .. macro or line
  end
  suite.equal(found, table.concat(wanted, "\n") .. "\n")
end)
