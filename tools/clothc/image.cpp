// image.cpp - PNG by stb_image_write; reduces and arranges images.
#include "image.h"

#include <algorithm>

#include "errors.h"
#include "file_output.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

namespace clothc_tool {
namespace {

constexpr uint32_t MARGIN = 6;  // pixels around each image of a contact sheet
constexpr uint8_t PAPER = 245;

void paste(Image& target, const Image& image, uint32_t left, uint32_t top) {
  for (uint32_t row = 0; row < image.height; ++row) {
    const uint8_t* source = &image.pixels[size_t{row} * image.width * 3];
    std::copy(source, source + size_t{image.width} * 3, &target.pixels[(size_t{top + row} * target.width + left) * 3]);
  }
}

}  // namespace

Image reduced(const Image& image, uint32_t factor) {
  Image result(image.width / factor, image.height / factor);
  for (uint32_t y = 0; y < result.height; ++y) {
    for (uint32_t x = 0; x < result.width; ++x) {
      for (uint32_t channel = 0; channel < 3; ++channel) {
        uint32_t sum = 0;
        for (uint32_t j = 0; j < factor * factor; ++j) {
          const size_t row = size_t{y} * factor + j / factor, column = size_t{x} * factor + j % factor;
          sum += image.pixels[(row * image.width + column) * 3 + channel];
        }
        result.pixels[(size_t{y} * result.width + x) * 3 + channel] = static_cast<uint8_t>(sum / (factor * factor));
      }
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
