// keys_panel.cpp - what the mouse and the keys do.
#include "window/panels.h"
#include "window/widgets.h"

namespace clothc_viewer {
namespace {

struct Use {
  const char* input;
  const char* effect;
};

constexpr Use MOUSE[] = {{"left drag on cloth", "pull a particle"},
                         {"left drag elsewhere", "turn the camera"},
                         {"right drag", "turn the camera"},
                         {"shift or middle drag", "move the camera"},
                         {"wheel", "zoom"},
                         {"W + drag", "blow at the cloth"},
                         {"drop a file", "open it"}};

constexpr Use KEYS[] = {{"space", "play or pause"},
                        {". or right arrow", "one update"},
                        {"R", "back to the start"},
                        {"F", "show everything"},
                        {"1 .. 6", "surface, wireframe, strain, normals, shapes, contacts"},
                        {"P", "panels on or off"},
                        {"escape", "dismiss a message"},
                        {"ctrl + Q", "quit"}};

template <size_t COUNT>
void draw_uses(const char* id, const Use (&uses)[COUNT]) {
  if (!begin_rows(id)) return;
  for (const Use& use : uses) draw_row(use.input, use.effect);
  ImGui::EndTable();
}

}  // namespace

void draw_keys_panel(Session&) {
  draw_heading("Mouse");
  draw_uses("mouse", MOUSE);
  draw_heading("Keys");
  draw_uses("keys", KEYS);
  draw_heading("Sliders");
  draw_note("Ctrl + click types a number. Right click on a parameter resets it.");
}

}  // namespace clothc_viewer
