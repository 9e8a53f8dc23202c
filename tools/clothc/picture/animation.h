// animation.h - animated WebP files. Pictures are encoded as they come; their encoded form is held in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/file_output.h"
#include "picture/image.h"

namespace clothc_tool {

class Animation {
 public:
  // Throws InputError if the file cannot be made.
  explicit Animation(const std::string& path);
  ~Animation();

  // Shows image from time on, in milliseconds, which must be later than that of the image before; all are of one size.
  // An image that equals the one before adds no frame but lengthens that one; if all do, the file is a still picture.
  void add(const Image& image, int time);

  // Shows the last image until end and gives the file its name. At least one image must have been added.
  void finish(int end);

 private:
  struct Encoder;

  [[noreturn]] void fail(const char* action) const;

  FileOutput file_;
  std::unique_ptr<Encoder> encoder_;  // made for the first image's size
};

}  // namespace clothc_tool
