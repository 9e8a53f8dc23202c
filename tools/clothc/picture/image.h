// image.h - 8-bit RGB images, PNG files, and contact sheets of several images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace clothc_tool {

struct Image {
  uint32_t width = 0, height = 0;

  // [height][width][3], top row first, sRGB
  std::vector<uint8_t> pixels;

  Image() = default;
  Image(uint32_t w, uint32_t h, uint8_t grey = 0) : width(w), height(h), pixels(size_t{w} * h * 3, grey) {}
};

// Returns the image at half its size; each pixel is the mean of four.
Image halved(const Image& image);

// Arranges images of equal size in rows of column_count, with a margin around each.
Image contact_sheet(const std::vector<Image>& images, uint32_t column_count);

// Writes a PNG file, which appears complete or not at all. Throws InputError.
void write_png(const std::string& path, const Image& image);

}  // namespace clothc_tool
