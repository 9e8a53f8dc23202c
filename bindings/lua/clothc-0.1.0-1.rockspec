-- clothc-0.1.0-1.rockspec - for luarocks make in this folder. It installs the Lua files; the library comes separately.
rockspec_format = "3.0"
package = "clothc"
version = "0.1.0-1"
source = {url = "file://."}
description = {
  summary = "Deterministic cloth simulation",
  detailed = "A binding of libclothc for LuaJIT. The shared library must be installed.",
  license = "Apache-2.0",
}
dependencies = {"lua == 5.1"}
build = {
  type = "builtin",
  modules = {
    clothc = "clothc.lua",
    ["clothc.annotations"] = "clothc/annotations.lua",
    ["clothc.arrays"] = "clothc/arrays.lua",
    ["clothc.buffer"] = "clothc/buffer.lua",
    ["clothc.cloth"] = "clothc/cloth.lua",
    ["clothc.colliders"] = "clothc/colliders.lua",
    ["clothc.constants"] = "clothc/constants.lua",
    ["clothc.declarations"] = "clothc/declarations.lua",
    ["clothc.device"] = "clothc/device.lua",
    ["clothc.dimensions"] = "clothc/dimensions.lua",
    ["clothc.errors"] = "clothc/errors.lua",
    ["clothc.fabric"] = "clothc/fabric.lua",
    ["clothc.fence"] = "clothc/fence.lua",
    ["clothc.group"] = "clothc/group.lua",
    ["clothc.library"] = "clothc/library.lua",
    ["clothc.mapping"] = "clothc/mapping.lua",
    ["clothc.objects"] = "clothc/objects.lua",
    ["clothc.records"] = "clothc/records.lua",
    ["clothc.solver"] = "clothc/solver.lua",
    ["clothc.structs"] = "clothc/structs.lua",
    ["clothc.values"] = "clothc/values.lua",
  },
}
