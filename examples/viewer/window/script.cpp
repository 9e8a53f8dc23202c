// script.cpp - see script.h.
#include "window/script.h"

#include <charconv>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "cli/errors.h"
#include "window/report.h"

namespace clothc_viewer {
namespace {

using clothc_tool::InputError;

float number_of(const std::string& word) {
  float number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) throw InputError("\"" + word + "\" is no number");
  return number;
}

uint32_t count_of(const std::string& word) {
  uint32_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || end != word.data() + word.size()) throw InputError("\"" + word + "\" is no count");
  return count;
}

int button_of(const std::string& word) {
  if (word == "left") return ImGuiMouseButton_Left;
  if (word == "right") return ImGuiMouseButton_Right;
  if (word == "middle") return ImGuiMouseButton_Middle;
  throw InputError("there is no button \"" + word + "\"; want left, right or middle");
}

int key_of(const std::string& word) {
  static const std::map<std::string, int> names = {{"space", GLFW_KEY_SPACE},       {"period", GLFW_KEY_PERIOD},
                                                   {"right", GLFW_KEY_RIGHT},       {"shift", GLFW_KEY_LEFT_SHIFT},
                                                   {"tab", GLFW_KEY_TAB},           {"enter", GLFW_KEY_ENTER},
                                                   {"ctrl", GLFW_KEY_LEFT_CONTROL}, {"escape", GLFW_KEY_ESCAPE}};
  if (const auto found = names.find(word); found != names.end()) return found->second;
  // GLFW numbers these keys by their capital letters and digits.
  if (word.size() == 1 && word[0] >= 'a' && word[0] <= 'z') return GLFW_KEY_A + (word[0] - 'a');
  if (word.size() == 1 && word[0] >= '0' && word[0] <= '9') return GLFW_KEY_0 + (word[0] - '0');
  throw InputError("there is no key \"" + word + "\"; script.h lists them");
}

Panel panel_of(const std::string& word) {
  for (size_t i = 0; i < std::size(PANEL_NAMES); ++i)
    if (word == PANEL_NAMES[i]) return static_cast<Panel>(i);
  throw InputError("there is no panel \"" + word + "\"; want scene, cloth, show, wind, times or keys");
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

// What follows the first word of a line.
std::string rest_of(const std::string& line) {
  const size_t end = line.find(' ', line.find_first_not_of(' '));
  return end == std::string::npos ? "" : line.substr(end + 1);
}

void want(const std::vector<std::string>& words, size_t least, size_t most) {
  if (words.size() - 1 >= least && words.size() - 1 <= most) return;
  throw InputError("\"" + words[0] + "\" has " + std::to_string(words.size() - 1) + " arguments; want " +
                   std::to_string(least) + (least == most ? "" : " to " + std::to_string(most)));
}

}  // namespace

Script::Script(const std::string& path) {
  if (path == "-") {
    lines_ = &std::cin;
    return;
  }
  file_.open(path);
  if (!file_) throw InputError(path + ": the script cannot be read; check its name");
  lines_ = &file_;
}

bool Script::next_frame(GlfwWindow& window, Session& session) {
  screenshot_.clear();
  wheel_ = 0;
  typed_.clear();
  if (released_button_ >= 0) buttons_[std::exchange(released_button_, -1)] = false, frame_count_ += 1;
  if (released_key_ >= 0) keys_.erase(std::exchange(released_key_, -1)), frame_count_ += 1;
  if (frame_count_ > 0) {
    --frame_count_;
    return true;
  }
  for (std::string line; std::getline(*lines_, line);) {
    ++line_number_;
    const Words words = words_of(line);
    if (words.empty() || words[0][0] == '#') continue;
    try {
      if (carry_out(words, line, window, session)) return true;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "clothc_viewer: line %zu of the script: %s\n", line_number_, error.what());
      has_failed_ = true;
      return false;
    }
  }
  return false;
}

bool Script::carry_out(const Words& words, const std::string& line, GlfwWindow& window, Session& session) {
  const std::string& command = words[0];
  if (command == "frames") {
    want(words, 1, 1);
    const uint32_t count = count_of(words[1]);
    frame_count_ = count > 0 ? count - 1 : 0;
    return count > 0;
  }
  if (command == "panel") {
    want(words, 1, 1);
    session.show_panel(panel_of(words[1]));
    // The panel is drawn in the first frame, and knows the size of all that is in it in the second.
    frame_count_ = 1;
    return true;
  }
  if (command == "open") {
    session.request_open(rest_of(line));
    frame_count_ = 1;
    return true;
  }
  if (command == "resize") {
    want(words, 2, 2);
    window.resize(count_of(words[1]), count_of(words[2]));
    frame_count_ = 1;
    return true;
  }
  if (command == "screenshot") {
    screenshot_ = rest_of(line);
    if (screenshot_.empty()) throw InputError("\"screenshot\" wants the name of a file");
    return true;
  }
  if (command == "state") {
    want(words, 0, 0);
    print_report(session);
    return false;
  }
  if (command == "particle") {
    want(words, 2, 2);
    print_particle(session, count_of(words[1]), count_of(words[2]));
    return false;
  }
  if (command == "real") {
    want(words, 0, 0);
    is_real_ = true;
    return false;
  }
  return carry_out_input(words, line, session);
}

bool Script::carry_out_input(const Words& words, const std::string& line, Session& session) {
  const std::string& command = words[0];
  if (command == "type") {
    typed_ = rest_of(line);
    return true;
  }
  if (command == "move") {
    want(words, 2, 2);
    mouse_ = {number_of(words[1]), number_of(words[2])};
    return true;
  }
  if (command == "point") {
    want(words, 1, 3);
    const auto item = session.items.rectangles().find(words[1]);
    if (item == session.items.rectangles().end()) throw InputError("there is no item \"" + words[1] + "\" to be seen");
    const auto& [low, high] = item->second;
    const float x = words.size() > 2 ? number_of(words[2]) : 0.5f, y = words.size() > 3 ? number_of(words[3]) : 0.5f;
    mouse_ = {low.x + x * (high.x - low.x), low.y + y * (high.y - low.y)};
    return true;
  }
  want(words, 1, 1);
  if (command == "wheel") {
    wheel_ = number_of(words[1]);
  } else if (command == "press") {
    buttons_[button_of(words[1])] = true;
  } else if (command == "release") {
    buttons_[button_of(words[1])] = false;
  } else if (command == "click") {
    buttons_[released_button_ = button_of(words[1])] = true;
  } else if (command == "hold") {
    keys_.insert(key_of(words[1]));
  } else if (command == "let") {
    keys_.erase(key_of(words[1]));
  } else if (command == "key") {
    keys_.insert(released_key_ = key_of(words[1]));
  } else {
    throw InputError("there is no command \"" + command + "\"; script.h lists them");
  }
  return true;
}

void Script::set_input() {
  if (is_real_) return;
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = mouse_;
  for (int button = 0; button < 3; ++button) io.MouseDown[button] = buttons_[button];
  io.MouseWheel = wheel_;
  for (bool& key : io.KeysDown) key = false;
  for (const int key : keys_) io.KeysDown[key] = true;
  io.KeyShift = keys_.count(GLFW_KEY_LEFT_SHIFT) > 0;
  io.KeyCtrl = keys_.count(GLFW_KEY_LEFT_CONTROL) > 0;
  io.AddInputCharactersUTF8(typed_.c_str());
}

}  // namespace clothc_viewer
