-- run.lua - runs test files: luajit run.lua FILE... Exits with 1 if a test fails or if there is none.
local folder = arg[0]:match "^(.*)run%.lua$"
package.path = folder .. "../?.lua;" .. folder .. "?.lua;" .. package.path
local suite = require "suite"

for _, file in ipairs(arg) do dofile(file) end
local failed = suite.run()
os.exit((failed > 0 or #suite.tests == 0) and 1 or 0, true)
