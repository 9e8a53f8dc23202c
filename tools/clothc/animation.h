// animation.h - animated WebP files. Pictures are encoded as they come; only their encoded form is held in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "file_output.h"
#include "image.h"

namespace clothc_tool {

class Animation {
 public:
  // Throws InputError if the file cannot be made.
  explicit Animation(const std::string& path);
  ~Animation();

  // Shows image from time on, in milliseconds, which must be later than that of the image before; all are of one size.
  // An image that equals the one before adds no frame but lengthens that one.
  void add(const Image& image, int time);

  // Shows the last image until end and gives the file its name. At least one image must have been added.
  void finish(int end);

 private:
  struct Area {
    uint32_t left, top, width, height;
  };
  struct Encoder;

  Area changed_area(const Image& image) const;
  void encode(const Image& image, Area area);
  void push_frame(int end);
  [[noreturn]] void fail(const std::string& reason) const;

  FileOutput file_;
  std::unique_ptr<Encoder> encoder_;
  Image shown_;
  int shown_since_ = 0;
};

}  // namespace clothc_tool
