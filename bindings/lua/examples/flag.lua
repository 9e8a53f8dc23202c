-- flag.lua - the flag of scenes/flag.json, as examples/flag.c makes it: a sheet on a mast in gusty wind. Prints its
-- stretch and the hash of its state, which are those of the C program.
-- Usage: luajit flag.lua [FRAMES]. Without the number it simulates 300 frames, which are 5 seconds.
local ffi = require "ffi"
local clothc = require "clothc"

local COLUMNS, ROWS = 81, 53
local frame_count = tonumber(arg[1]) or 300

-- Numbers of Lua are doubles. Storing one here rounds it to a float, as C does after each operation on floats.
local rounded = ffi.new "float[1]"
local function float(value)
  rounded[0] = value
  return rounded[0]
end

-- 2 m x 1.3 m. The inverse mass 0 pins the left edge.
local function make_sheet()
  local positions, inverse_masses, quads = {}, {}, {}
  for row = 0, ROWS - 1 do
    for column = 0, COLUMNS - 1 do
      local x = float(-1 + float(float(column / (COLUMNS - 1)) * 2))
      local y = float(float(2.6) - float(float(row / (ROWS - 1)) * float(1.3)))
      positions[#positions + 1] = {x, y, 0}
      inverse_masses[#inverse_masses + 1] = column == 0 and 0 or 1
    end
  end
  for row = 0, ROWS - 2 do
    for column = 0, COLUMNS - 2 do
      local first = row * COLUMNS + column
      quads[#quads + 1] = {first, first + 1, first + 1 + COLUMNS, first + COLUMNS}
    end
  end
  return positions, inverse_masses, quads
end

-- A sine of period 1, approximated by parabolas, so that it is the same with every C library.
local function wave(phase)
  local x = 2 * (phase - math.floor(phase + 0.5))
  local parabola = 4 * x * (1 - math.abs(x))
  return float(parabola + 0.225 * parabola * (math.abs(parabola) - 1))
end

-- Velocity, frequency and phase of each gust.
local gusts = ffi.new("float[3][5]", {{1.2, 0, 1.8, 0.41, 0}, {0.6, 0.4, 1.6, 1.37, 0.2}, {0.3, 0.3, 1.0, 3.1, 0.6}})

-- 7 m/s from the mast to the free end, with gusts.
local function blow(velocity, time)
  velocity[0], velocity[1], velocity[2] = 7, 0.5, 0
  for gust = 0, 2 do
    local strength = wave(gusts[gust][3] * time + gusts[gust][4])
    for axis = 0, 2 do velocity[axis] = velocity[axis] + float(gusts[gust][axis] * strength) end
  end
end

local device = clothc.create_device {backend = "cpu"}
local solver = device:create_solver()
local positions, inverse_masses, quads = make_sheet()
local fabric = device:cook_fabric {positions = positions, inverse_masses = inverse_masses, quads = quads,
                                   areal_density = 0.35}

-- The ground, and a mast that is 4 cm thick. Each convex is a list of planes.
local colliders = solver:create_collider_set {
  planes = {{0, 1, 0, 0}, {-1, 0, 0, -1.05}, {1, 0, 0, 1.01}, {0, -1, 0, 0}, {0, 1, 0, -2.7}, {0, 0, -1, -0.02},
            {0, 0, 1, -0.02}},
  convex_planes = {0, 1, 2, 3, 4, 5, 6},
  convex_ends = {1, 7},
}
-- A struct rather than a table, since it is set in every frame.
local parameters = clothc.struct("cloth_parameters", {
  solver_frequency = 900, damping = {0.3, 0.3, 0.3}, drag_coefficient = 0.012, lift_coefficient = 0.025,
  fluid_density = 1.2, statistics = "stretch",
})
local cloth = solver:add_cloth {fabric = fabric, parameters = parameters, collider_sets = {colliders}}

local update = clothc.struct "update"
for frame = 1, frame_count do
  blow(parameters.wind_velocity, frame * update.dt)
  cloth:set_parameters(parameters)
  solver:update(update)
end

print(("stretch %.3f %%"):format(100 * cloth:status().largest_stretch))
print("state hash " .. solver:state_hash())
device:destroy() -- and everything that was made from it
