// phases.cpp - the table of phase types, and strict reading of their settings. Settings of a phase that the cloth does
// not have are rejected, with the field that would create the phase.
#include "scene/cloth/phases.h"

namespace clothc_tool {
namespace {

struct Phase {
  clothc_phase_type type;
  const char* name;
  PhaseSettings SceneCloth::*settings;
};
constexpr Phase PHASES[] = {{CLOTHC_PHASE_STRETCH, "stretch", &SceneCloth::stretch},
                            {CLOTHC_PHASE_SHEAR, "shear", &SceneCloth::shear},
                            {CLOTHC_PHASE_BEND, "bend", &SceneCloth::bend},
                            {CLOTHC_PHASE_VERTICAL, "vertical", &SceneCloth::vertical},
                            {CLOTHC_PHASE_HORIZONTAL, "horizontal", &SceneCloth::horizontal},
                            {CLOTHC_PHASE_WARP, "warp", &SceneCloth::warp},
                            {CLOTHC_PHASE_WEFT, "weft", &SceneCloth::weft},
                            {CLOTHC_PHASE_LONG_RANGE, "long_range", &SceneCloth::long_range}};

PhaseSettings read_settings(const SceneField& field) {
  field.only({"stiffness", "stiffness_multiplier", "compression_limit", "stretch_limit"});
  PhaseSettings settings;
  settings.stiffness = field.number("stiffness", 0, 1, settings.stiffness);
  settings.stiffness_multiplier = field.number("stiffness_multiplier", 0, 1, settings.stiffness_multiplier);
  settings.compression_limit = field.number("compression_limit", 0.01, 1, settings.compression_limit);
  settings.stretch_limit = field.number("stretch_limit", 1, 100, settings.stretch_limit);
  return settings;
}

void require_phase(const SceneField& field, clothc_phase_type type, const SceneCloth& cloth) {
  const bool has_hint = length(cloth.gravity_hint) > 0, has_weave = cloth.uses_texture_coordinates;
  switch (type) {
    case CLOTHC_PHASE_STRETCH:
      if (has_hint) field.fail("gravity_hint puts vertical and horizontal in place of this phase; set those");
      if (has_weave) field.fail("texture_coordinates puts warp and weft in place of this phase; set those");
      break;
    case CLOTHC_PHASE_VERTICAL:
    case CLOTHC_PHASE_HORIZONTAL:
      if (!has_hint) field.fail("only a cloth with gravity_hint has this phase; add \"gravity_hint\": [0, -1, 0]");
      break;
    case CLOTHC_PHASE_WARP:
    case CLOTHC_PHASE_WEFT:
      if (!has_weave) {
        field.fail("only a cloth with texture_coordinates has this phase; add \"texture_coordinates\": true");
      }
      break;
    case CLOTHC_PHASE_LONG_RANGE:
      if (cloth.long_range_edges.empty())
        field.fail("only a cloth with long_range_edges has this phase; add \"long_range_edges\": [12, 4]");
      break;
    default:
      break;
  }
}

void read_directions(const SceneField& field, SceneCloth& cloth) {
  if (const auto uses = field.find("texture_coordinates")) {
    cloth.uses_texture_coordinates = uses->boolean();
    if (cloth.uses_texture_coordinates && cloth.mesh.uvs.empty()) {
      uses->fail("the mesh has no texture coordinates; use a mesh file that has them, or leave this field out");
    }
  }
  if (const auto hint = field.find("gravity_hint")) {
    cloth.gravity_hint = hint->direction();
    if (cloth.uses_texture_coordinates) hint->fail("texture_coordinates goes before it; leave one of them out");
  }
}

}  // namespace

const char* phase_type_name(clothc_phase_type type) {
  for (const Phase& phase : PHASES) {
    if (phase.type == type) return phase.name;
  }
  return "other";
}

bool holds_edges(clothc_phase_type type) {
  return type == CLOTHC_PHASE_STRETCH || (type >= CLOTHC_PHASE_VERTICAL && type <= CLOTHC_PHASE_WEFT);
}

const PhaseSettings& phase_settings(const SceneCloth& cloth, clothc_phase_type type) {
  for (const Phase& phase : PHASES) {
    if (phase.type == type) return cloth.*phase.settings;
  }
  return cloth.stretch;
}

void read_phases(const SceneField& field, SceneCloth& cloth) {
  read_directions(field, cloth);
  if (const auto quadify = field.find("quadify")) cloth.quadify = quadify->boolean();
  const auto phases = field.find("phases");
  if (!phases) return;
  phases->only({"stretch", "shear", "bend", "vertical", "horizontal", "warp", "weft", "long_range"});
  for (const Phase& phase : PHASES) {
    const auto settings = phases->find(phase.name);
    if (!settings) continue;
    require_phase(*settings, phase.type, cloth);
    cloth.*phase.settings = read_settings(*settings);
  }
}

}  // namespace clothc_tool
