// phases.h - names of the phase types and each cloth's settings for them. A cloth's edges are in the warp and weft
// phases if it uses texture coordinates, otherwise in the vertical and horizontal phases if it has a gravity hint,
// otherwise in one stretch phase.
#pragma once

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

// Returns the name that scene files and reports use, or "other" for types that the cooker does not create.
const char* phase_type_name(clothc_phase_type type);

// Tells whether the phase's constraints are edges of the mesh: true for stretch, vertical, horizontal, warp and weft.
bool holds_edges(clothc_phase_type type);

// Returns the cloth's settings for a phase type; types that the cooker does not create get the settings of stretch.
const PhaseSettings& phase_settings(const SceneCloth& cloth, clothc_phase_type type);

// Reads the fields of a cloth that determine which phases it has and how they are solved: gravity_hint,
// texture_coordinates, quadify and phases. The cloth's mesh must have been read before.
void read_phases(const SceneField& field, SceneCloth& cloth);

}  // namespace clothc_tool
