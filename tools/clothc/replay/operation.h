// The operations on a cloth's coordinate frame that a reference's "ops" list.
#pragma once

#include <optional>
#include <string>

#include "replay/field.h"
#include "replay/reference.h"

namespace clothc_tool {

// nullopt if this tool has never heard of it.
std::optional<ReferenceOperation::Kind> operation_kind(const std::string& name);

// Reads {"op": name, "args": [...]} of a known name.
ReferenceOperation load_operation(const ReferenceField& field);

}  // namespace clothc_tool
