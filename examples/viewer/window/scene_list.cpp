// scene_list.cpp - see scene_list.h.
#include "window/scene_list.h"

#include <algorithm>
#include <filesystem>

namespace clothc_viewer {

std::vector<SceneFile> list_scenes(const std::string& folder) {
  std::vector<SceneFile> files;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    if (path.extension() == ".json") files.push_back({path.stem().string(), path.string()});
    if (path.extension() == ".capture") files.push_back({path.filename().string(), path.string()});
  }
  std::sort(files.begin(), files.end(), [](const SceneFile& a, const SceneFile& b) { return a.name < b.name; });
  return files;
}

}  // namespace clothc_viewer
