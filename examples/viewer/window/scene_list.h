// scene_list.h - the scenes and captures of a folder.
#pragma once

#include <string>
#include <vector>

namespace clothc_viewer {

struct SceneFile {
  // Without folder and extension; with the extension if it is a capture.
  std::string name;
  std::string path;
};

// Returns the scenes (.json) and captures (.capture) of a folder by name. A folder that cannot be read has none.
std::vector<SceneFile> list_scenes(const std::string& folder);

}  // namespace clothc_viewer
