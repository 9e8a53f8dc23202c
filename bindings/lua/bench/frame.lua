-- frame.lua - the frame of bench/bindings/frame.c: update a cloth of 1,000 particles, get its positions, map them, read
-- one, unmap them. Prints the median of the frames in nanoseconds.
-- Usage: luajit frame.lua [FRAMES [DT]]. With a DT of 0 the cloth does not move, and the frame is almost only calls.
-- With CLOTHC_BENCH_GARBAGE in the environment it also prints what a frame leaves for the garbage collector.
local ffi = require "ffi"
local clothc = require "clothc"

local COLUMNS, ROWS, WARM_UP = 40, 25, 200
local frame_count, dt = tonumber(arg[1]) or 2000, tonumber(arg[2])

ffi.cdef [[
struct clothc_bench_timespec { long seconds, nanoseconds; };
int clock_gettime(int clock, struct clothc_bench_timespec* now);
]]
local now = ffi.new "struct clothc_bench_timespec"
local MONOTONIC = 1
local function nanoseconds()
  ffi.C.clock_gettime(MONOTONIC, now)
  return tonumber(now.seconds) * 1e9 + tonumber(now.nanoseconds)
end

local positions, inverse_masses, quads = {}, {}, {}
for vertex = 0, COLUMNS * ROWS - 1 do
  positions[vertex + 1] = {0.05 * (vertex % COLUMNS), 0, 0.05 * math.floor(vertex / COLUMNS)}
  inverse_masses[vertex + 1] = vertex < COLUMNS and 0 or 1
end
for quad = 0, (COLUMNS - 1) * (ROWS - 1) - 1 do
  local first = math.floor(quad / (COLUMNS - 1)) * COLUMNS + quad % (COLUMNS - 1)
  quads[quad + 1] = {first, first + 1, first + 1 + COLUMNS, first + COLUMNS}
end

local device = clothc.create_device {backend = "cpu", worker_count = 1}
local solver = device:create_solver()
local fabric = device:cook_fabric {positions = positions, inverse_masses = inverse_masses, quads = quads}
solver:add_cloth {fabric = fabric}
local buffer = device:create_buffer {count = COLUMNS * ROWS}
local POSITION, READ, LAST = clothc.channel.POSITION, clothc.map.READ, COLUMNS * ROWS - 1

local times, height = ffi.new("double[?]", WARM_UP + frame_count), 0
collectgarbage()
local memory = collectgarbage "count"
for frame = 0, WARM_UP + frame_count - 1 do
  local begin = nanoseconds()
  solver:update(dt)
  solver:get(POSITION, buffer)
  local mapping = buffer:map(READ)
  height = height + mapping[LAST].y
  buffer:unmap()
  times[frame] = nanoseconds() - begin
  if frame == WARM_UP then memory = collectgarbage "count" end
end
if os.getenv "CLOTHC_BENCH_GARBAGE" then
  print(("garbage %.1f bytes per frame"):format((collectgarbage "count" - memory) * 1024 / frame_count))
end

local sorted = {}
for frame = 1, frame_count do sorted[frame] = times[WARM_UP + frame - 1] end
table.sort(sorted)
print(("median_ns %d"):format(sorted[math.floor(frame_count / 2) + 1]))
device:destroy()
-- The sum of the heights keeps the read. It is finite.
os.exit(height - height == 0 and 0 or 1)
