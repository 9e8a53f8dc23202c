// pc2.cpp - writes the little-endian format: "POINTCACHE2\0", int32 version 1, int32 number of points, float32 start
// frame, float32 frames per sample, int32 number of samples; then float32 x y z of every point of every sample. Source:
// "PC2" in the documentation of Autodesk 3ds Max, Point Cache modifier; Blender, Mesh Cache modifier.
#include "mesh/pc2.h"

#include <cstdint>

namespace clothc_tool {
namespace {

struct Pc2Header {
  char signature[12] = {'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', '\0'};
  int32_t version = 1;
  uint32_t point_count = 0;
  float start_frame = 0;
  float sample_rate = 1;
  uint32_t sample_count = 0;
};
static_assert(sizeof(Pc2Header) == 32, "PC2 headers are 32 bytes");
constexpr uint64_t SAMPLE_COUNT_OFFSET = 28;

}  // namespace

Pc2Output::Pc2Output(const std::string& path, uint32_t point_count) : file_(path), point_count_(point_count) {
  Pc2Header header;
  header.point_count = point_count;
  file_.write(&header, sizeof header);
}

void Pc2Output::add_frame(const std::vector<Vector3>& positions) {
  row_.resize(size_t{point_count_} * 3);
  for (size_t i = 0; i < point_count_; ++i) {
    row_[3 * i] = positions[i].x;
    row_[3 * i + 1] = positions[i].y;
    row_[3 * i + 2] = positions[i].z;
  }
  file_.write(row_.data(), row_.size() * sizeof(float));
  ++frame_count_;
}

void Pc2Output::commit() {
  file_.overwrite(SAMPLE_COUNT_OFFSET, &frame_count_, sizeof frame_count_);
  file_.commit();
}

}  // namespace clothc_tool
