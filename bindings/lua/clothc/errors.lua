-- errors.lua - turns failing results into Lua errors. An error is an object with the fields code, name, message and
-- where; tostring joins them. Mistakes that the binding finds itself raise the same objects.
local ffi = require "ffi"
local C = require "clothc.library".C
local constants = require "clothc.constants"

local errors = {}

---@class clothc.Error
---@field code integer one of clothc.result, below 0
---@field name string such as "CLOTHC_ERROR_CAPACITY"
---@field message string what was wrong, with the value seen and the remedy
---@field where string file and line of the call, such as "game.lua:12: "
local Error = {}
Error.__index = Error

function Error:__tostring()
  return self.where .. self.name .. ": " .. self.message
end

-- The sources of the binding: the files in this folder, and clothc.lua beside it.
local folder = debug.getinfo(1, "S").source:match "^(.*)errors%.lua$" or "a folder without sources"
local main_file = folder:sub(1, -2) .. ".lua"

local function is_ours(source)
  return source == main_file or source:sub(1, #folder) == folder and not source:find("[/\\]", #folder + 1)
end

--- File and line of the innermost function that is not the binding's.
local function caller()
  local level = 3
  local info = debug.getinfo(level, "Sl")
  while info and (info.currentline < 1 or is_ours(info.source)) do
    level = level + 1
    info = debug.getinfo(level, "Sl")
  end
  return info and ("%s:%d: "):format(info.short_src, info.currentline) or ""
end

function errors.raise(code, message)
  error(setmetatable({code = code, name = ffi.string(C.clothc_result_name(code)), message = message,
                      where = caller()}, Error), 0)
end

--- Raises the error of a mistake that the binding itself finds in an argument.
function errors.argument(form, ...)
  errors.raise(constants.result.ERROR_INVALID_ARGUMENT, form:format(...))
end

--- Returns a result that is 0 or a status; an error is raised. The second argument only keeps what a call points to
--- alive until the call has returned.
---@param _anchors? table
function errors.check(result, _anchors)
  if result < 0 then errors.raise(result, ffi.string(C.clothc_last_error_message())) end
  return result
end

--- How many letters differ between two words, with each insertion, deletion and replacement counted once.
local function distance(first, second)
  local row = {}
  for j = 0, #second do row[j] = j end
  for i = 1, #first do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #second do
      local replaced = diagonal + (first:byte(i) == second:byte(j) and 0 or 1)
      diagonal = row[j]
      row[j] = math.min(replaced, row[j] + 1, row[j - 1] + 1)
    end
  end
  return row[#second]
end

--- Raises an error for a name that is not one of the known ones, and names the nearest of those.
function errors.unknown(what, name, known)
  local nearest, least = nil, math.huge
  for _, candidate in ipairs(known) do
    local letters = distance(tostring(name):lower(), candidate:lower())
    if letters < least then nearest, least = candidate, letters end
  end
  errors.argument("%s has no %s; the nearest name is %s", what, tostring(name), nearest)
end

return errors
