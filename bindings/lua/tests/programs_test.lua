-- programs_test.lua - whole programs: the flag, the program of the README, the benchmark, the library loaded again and
-- again, and what is said when it is not found.
local suite = require "suite"

local equal, holds = suite.equal, suite.holds
local binding = suite.folder .. "../"

suite.test("the flag is the flag of the C program, to the bit", function()
  local wanted = suite.output(suite.environment "CLOTHC_FLAG" .. " 60")
  holds(wanted:find "^stretch [%d.]+ %%\nstate hash %x+\n$", "the C program printed " .. wanted)
  equal(suite.output(suite.luajit(binding .. "examples/flag.lua 60")), wanted, "the output")
end)

suite.test("the flag is the same without the compiler", function()
  local wanted = suite.output(suite.luajit("-joff " .. binding .. "examples/flag.lua 10"))
  equal(suite.output(suite.environment "CLOTHC_FLAG" .. " 10"), wanted, "the output")
end)

suite.test("the program of the README runs and prints what the README says", function()
  local file = assert(io.open(binding .. "README.md"))
  local readme = file:read "*a"
  file:close()
  local program, printed = readme:match "```lua\n(.-)```.-```text\n(.-)```"
  holds(program, "the README has no program")
  local path = suite.environment "CLOTHC_BUILD_DIR" .. "/lua_readme.lua"
  local copy = assert(io.open(path, "w"))
  copy:write(program)
  copy:close()
  equal(suite.output(suite.luajit(path)), printed, "the output")
end)

suite.test("the benchmark prints a median", function()
  holds(suite.output(suite.luajit(binding .. "bench/frame.lua 20 0")):find "^median_ns %d+\n$")
end)

suite.test("a frame that is compiled makes no garbage", function()
  local printed = suite.output("CLOTHC_BENCH_GARBAGE=1 " .. suite.luajit(binding .. "bench/frame.lua 3000 0"))
  local bytes = tonumber(printed:match "garbage ([%d.]+) bytes per frame")
  -- The same frame makes 168 bytes without the compiler.
  holds(bytes and bytes < 50, printed)
end)

suite.test("the library is unloaded by the collector and loaded again", function()
  local hashes = suite.output(suite.luajit(suite.folder .. "programs/reload.lua"))
  local first = hashes:match "^(%x+)\n"
  equal(hashes, (first .. "\n"):rep(10), "the hashes")
end)

suite.test("a library that is not found, or is another one, is told with the remedy", function()
  local command = suite.luajit([[-e 'print(select(2, pcall(require, "clothc")))']])
  local missing = suite.output("CLOTHC_LIBRARY=/nowhere/libclothc.so " .. command)
  holds(missing:find("CLOTHC_LIBRARY", 1, true) and missing:find("/nowhere/libclothc.so", 1, true), missing)
  local other = suite.output("CLOTHC_LIBRARY=libm.so.6 " .. command)
  holds(other:find("clothc_version", 1, true), other)
end)

suite.test("an error that a program does not catch is printed with its line", function()
  local program = [[-e 'require "clothc".create_device {worker_count = 999}']]
  local printed = suite.output("(" .. suite.luajit(program) .. "; true)")
  holds(printed:find "command line.:1: CLOTHC_ERROR_INVALID_ARGUMENT: .*999", printed)
end)

suite.test("a program may end while its updates are queued, with and without closing its state", function()
  local body = [[world = require "sheets".world(30, 30); for _ = 1, 3 do world.solver:update() end ]]
  for _, ending in ipairs {"", "os.exit(0)", "os.exit(0, true)", "world = nil; collectgarbage()"} do
    equal(suite.output(suite.luajit(("-e '%s%s'"):format(body, ending))), "", "the output")
  end
end)
