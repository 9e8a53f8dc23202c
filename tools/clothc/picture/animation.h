// animation.h - animated WebP files. Images are encoded as they are added, and their encoded form is kept in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/file_output.h"
#include "picture/image.h"

namespace clothc_tool {

class Animation {
 public:
  // Throws InputError if the file cannot be created.
  explicit Animation(const std::string& path);
  ~Animation();

  // Shows the image from the given time in milliseconds, which must be later than that of the previous image. All
  // images have the same size. An image that equals the previous one only lengthens that frame; if all are equal, the
  // file is a still image.
  void add(const Image& image, int time);

  // Shows the last image until `end` in milliseconds and gives the file its final name. At least one image must have
  // been added.
  void finish(int end);

 private:
  struct Encoder;

  [[noreturn]] void fail(const char* action) const;

  FileOutput file_;

  // Created for the size of the first image.
  std::unique_ptr<Encoder> encoder_;
};

}  // namespace clothc_tool
