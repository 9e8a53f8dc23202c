-- sheets.lua - small pieces of cloth for tests.
local clothc = require "clothc"

local sheets = {}

--- The mesh of a sheet of quads in the plane y = 0 that hangs on its first row.
function sheets.mesh(columns, rows)
  local mesh = {positions = {}, inverse_masses = {}, quads = {}}
  for row = 0, rows - 1 do
    for column = 0, columns - 1 do
      table.insert(mesh.positions, {0.1 * column, 0, 0.1 * row})
      table.insert(mesh.inverse_masses, row == 0 and 0 or 1)
    end
  end
  for row = 0, rows - 2 do
    for column = 0, columns - 2 do
      local first = row * columns + column
      table.insert(mesh.quads, {first, first + 1, first + 1 + columns, first + columns})
    end
  end
  return mesh
end

function sheets.device()
  return clothc.create_device {backend = "cpu", worker_count = 2}
end

--- A device, a solver, and a cloth in it.
function sheets.world(columns, rows)
  local world = {device = sheets.device()}
  world.solver = world.device:create_solver {particle_capacity = 16384}
  world.fabric = world.device:cook_fabric(sheets.mesh(columns or 8, rows or 6))
  world.cloth = world.solver:add_cloth {fabric = world.fabric}
  world.count = world.cloth:info().particle_count
  return world
end

return sheets
