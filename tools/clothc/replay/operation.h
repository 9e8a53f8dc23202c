// operation.h - the operations on a cloth's coordinate frame that a reference's "ops" arrays contain.
#pragma once

#include <optional>
#include <string>

#include "replay/field.h"
#include "replay/reference.h"

namespace clothc_tool {

// Returns nullopt if the tool does not know the operation.
std::optional<ReferenceOperation::Kind> operation_kind(const std::string& name);

// Reads {"op": name, "args": [...]}; the name must be known.
ReferenceOperation load_operation(const ReferenceField& field);

}  // namespace clothc_tool
