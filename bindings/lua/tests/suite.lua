-- suite.lua - a small test runner. A test file registers functions with suite.test; run.lua calls them one after the
-- other, says which failed and why, and exits with 1 if any did.
local suite = {tests = {}, folder = debug.getinfo(1, "S").source:match "^@(.*)suite%.lua$"}

--- The value of an environment variable that bindings/CMakeLists.txt sets for tests.
function suite.environment(name)
  return os.getenv(name) or error(name .. " is not set; bindings/CMakeLists.txt says what it is", 0)
end

function suite.test(name, body)
  suite.tests[#suite.tests + 1] = {name = name, body = body}
end

--- Fails unless two values are equal.
function suite.equal(value, wanted, what)
  if value ~= wanted then
    error(("%s is %s; want %s"):format(what or "the value", tostring(value), tostring(wanted)), 2)
  end
end

--- Fails unless a value is true, or anything that counts as true.
function suite.holds(condition, what)
  if not condition then error(what or "the condition does not hold", 2) end
  return condition
end

--- Fails unless a call raises an error of the given name whose message has all of the given texts. Returns the error.
function suite.fails(name, texts, call, ...)
  local succeeded, failure = pcall(call, ...)
  if succeeded then error(("the call succeeded; want %s"):format(name), 2) end
  if type(failure) ~= "table" or failure.name ~= "CLOTHC_ERROR_" .. name then
    error(("the error is %s; want %s"):format(tostring(failure), name), 2)
  end
  for _, text in ipairs(texts) do
    if not failure.message:find(text, 1, true) then
      error(("the message is %q; want %q in it"):format(failure.message, text), 2)
    end
  end
  return failure
end

--- Runs a command of the shell and returns what it prints. Fails if the command does.
function suite.output(command)
  local pipe = io.popen(command .. " 2>&1; echo \"[$?]\"")
  local text, status = pipe:read "*a":match "^(.*)%[(%d+)%]\n$"
  pipe:close()
  if status ~= "0" then error(("%s exited with %s: %s"):format(command, status, text), 2) end
  return text
end

--- The command that runs a Lua program with the binding on its path.
function suite.luajit(program)
  return ("LUA_PATH='%s../?.lua;%s?.lua;;' luajit %s"):format(suite.folder, suite.folder, program)
end

--- Runs what was registered. Returns the number of tests that failed.
function suite.run()
  local failed = 0
  for _, test in ipairs(suite.tests) do
    local succeeded, message = xpcall(test.body, function(failure)
      return type(failure) == "string" and debug.traceback(failure, 2) or tostring(failure)
    end)
    print((succeeded and "ok      " or "FAILED  ") .. test.name)
    if not succeeded then
      failed = failed + 1
      print("        " .. message:gsub("\n", "\n        "))
    end
  end
  print(("%d tests, %d failed"):format(#suite.tests, failed))
  return failed
end

return suite
