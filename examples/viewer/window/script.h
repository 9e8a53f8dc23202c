// script.h - commands that take the place of the user, for tests and screenshots. Each is a line of words:
//
//   frames N              draws N frames; one that plays makes one update for each
//   panel NAME            opens a panel: scene, cloth, show, wind, times or keys
//   point ITEM [X Y]      moves the mouse to an item, at these parts of its width and height (0.5 0.5)
//   move X Y              moves the mouse to a pixel
//   press BUTTON          presses a button of the mouse: left, right or middle
//   release BUTTON
//   click BUTTON          presses and releases it
//   wheel STEPS
//   hold KEY              presses a key: a letter, a digit, or space, period, right, shift, ctrl, tab, enter or escape
//   let KEY               releases it
//   key KEY               presses and releases it
//   type TEXT             types the rest of the line
//   open FILE             opens a file as if it were dropped on the window
//   resize WIDTH HEIGHT   in screen coordinates
//   screenshot FILE       writes the next frame to a PNG file as it is shown
//   state                 prints a line of JSON, see report.h
//   particle CLOTH INDEX  prints a line of JSON with the position and the pixel of a particle
//   real                  lets the real mouse and the real keys be used from here on
//
// Empty lines and lines that begin with # do nothing. Commands that move the mouse or press something draw the frame that
// sees it. The window closes at the end of the script, with the exit code 1 if a command could not be carried out.
#pragma once

#include <imgui.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "window/glfw_window.h"
#include "window/session.h"

namespace clothc_viewer {

class Script {
 public:
  // path: "-" = standard input. Throws clothc_tool::InputError if there is no such file.
  explicit Script(const std::string& path);

  // Carries out commands up to one that wants a frame to be drawn. Returns false at the end, or if a command fails.
  bool next_frame(GlfwWindow& window, Session& session);

  // The mouse and the keys of the frame. Call it before ImGui::NewFrame().
  void set_input();

  // File to which the frame shall be written; empty = none.
  const std::string& screenshot() const { return screenshot_; }

  bool has_failed() const { return has_failed_; }

 private:
  using Words = std::vector<std::string>;

  // Returns whether a frame must be drawn now. Throws clothc_tool::InputError that says what is wrong.
  bool carry_out(const Words& words, const std::string& line, GlfwWindow& window, Session& session);
  bool carry_out_input(const Words& words, const std::string& line, Session& session);

  std::ifstream file_;
  std::istream* lines_ = nullptr;
  size_t line_number_ = 0;

  // Frames to draw before the next command, and what is released in the next one.
  uint32_t frame_count_ = 0;
  int released_button_ = -1, released_key_ = -1;

  // What the mouse and the keys are like.
  bool is_real_ = false;
  ImVec2 mouse_ = {-FLT_MAX, -FLT_MAX};
  bool buttons_[3] = {};
  std::set<int> keys_;

  // Of the next frame only.
  float wheel_ = 0;
  std::string typed_, screenshot_;
  bool has_failed_ = false;
};

}  // namespace clothc_viewer
