// pc2.h - writes PC2 point caches, which store the positions of a mesh's vertices at every frame and which Blender,
// Maya and 3ds Max can read.
#pragma once

#include <string>
#include <vector>

#include "cli/file_output.h"
#include "mesh/vector3.h"

namespace clothc_tool {

class Pc2Output {
 public:
  Pc2Output(const std::string& path, uint32_t point_count);
  void add_frame(const std::vector<Vector3>& positions);

  // Writes the number of frames and gives the file its final name.
  void commit();
  const std::string& path() const { return file_.path(); }

 private:
  FileOutput file_;
  uint32_t point_count_;
  uint32_t frame_count_ = 0;
  std::vector<float> row_;
};

}  // namespace clothc_tool
