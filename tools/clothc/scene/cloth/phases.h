// phases.h - the types of phases: their names, and the settings that a cloth has for each. A cloth's edges are in
// one stretch phase; or in warp and weft with texture coordinates; or else in vertical and horizontal with a gravity hint.
#pragma once

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

// As scene files and reports call it; "other" for types that the cooker does not make.
const char* phase_type_name(clothc_phase_type type);

// Whether its constraints are edges of the mesh, as those of stretch and of what takes its place are.
bool holds_edges(clothc_phase_type type);

// Those of stretch for types that the cooker does not make.
const PhaseSettings& phase_settings(const SceneCloth& cloth, clothc_phase_type type);

// Reads the fields of a cloth that decide which phases it has and how they are solved: gravity_hint,
// texture_coordinates, quadify and phases. The cloth has its mesh already.
void read_phases(const SceneField& field, SceneCloth& cloth);

}  // namespace clothc_tool
