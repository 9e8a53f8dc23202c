// image.cpp - writes PNG files through stb_image_write; scales and arranges images.
#include "picture/image.h"

#include <algorithm>

#include "cli/errors.h"
#include "cli/file_output.h"

// The analyzer must not report defects in stb's code.
#ifndef __clang_analyzer__
#define STB_IMAGE_WRITE_IMPLEMENTATION
#endif
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

namespace clothc_tool {
namespace {

// Pixels around each image of a contact sheet.
constexpr uint32_t MARGIN = 6;
constexpr uint8_t PAPER = 245;

void paste(Image& target, const Image& image, uint32_t left, uint32_t top) {
  for (uint32_t row = 0; row < image.height; ++row) {
    const uint8_t* source = &image.pixels[size_t{row} * image.width * 3];
    std::copy(source, source + size_t{image.width} * 3, &target.pixels[(size_t{top + row} * target.width + left) * 3]);
  }
}

}  // namespace

Image halved(const Image& image) {
  Image result(image.width / 2, image.height / 2);
  const size_t stride = size_t{image.width} * 3;
  for (size_t y = 0; y < result.height; ++y) {
    for (size_t i = 0; i < size_t{result.width} * 3; ++i) {
      const uint8_t* block = &image.pixels[2 * y * stride + i / 3 * 6 + i % 3];
      const int sum = block[0] + block[3] + block[stride] + block[stride + 3];
      result.pixels[y * result.width * 3 + i] = static_cast<uint8_t>((sum + 2) / 4);
    }
  }
  return result;
}

Image contact_sheet(const std::vector<Image>& images, uint32_t column_count) {
  const auto count = static_cast<uint32_t>(images.size());
  const uint32_t columns = std::min(count, column_count), rows = (count + columns - 1) / columns;
  const uint32_t pitch_x = images[0].width + MARGIN, pitch_y = images[0].height + MARGIN;
  Image sheet(columns * pitch_x + MARGIN, rows * pitch_y + MARGIN, PAPER);
  for (uint32_t i = 0; i < count; ++i) {
    paste(sheet, images[i], MARGIN + i % columns * pitch_x, MARGIN + i / columns * pitch_y);
  }
  return sheet;
}

void write_png(const std::string& path, const Image& image) {
  FileOutput file(path);
  const auto write = [](void* output, void* data, int size) {
    static_cast<FileOutput*>(output)->write(data, static_cast<size_t>(size));
  };
  const int width = static_cast<int>(image.width), height = static_cast<int>(image.height);
  if (!stbi_write_png_to_func(write, &file, width, height, 3, image.pixels.data(), width * 3)) {
    throw InputError("cannot make the picture '" + path + "'; there is not enough memory for it");
  }
  file.commit();
}

}  // namespace clothc_tool
