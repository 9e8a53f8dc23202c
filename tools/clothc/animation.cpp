// animation.cpp - animated WebP by libwebp: of every image, the rectangle that changed is a lossy frame. (libwebp's own
// WebPAnimEncoder makes smaller files but encodes each frame in several ways, with transparency.)
#include "animation.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>

#include "errors.h"

namespace clothc_tool {
namespace {

constexpr float QUALITY = 75;
constexpr int METHOD = 2;  // of 0 .. 6: half the time of the default, 4, for files a twentieth larger

struct Row {
  const uint8_t *begin, *end;
};
Row row(const Image& image, uint32_t y) {
  const uint8_t* begin = &image.pixels[size_t{y} * image.width * 3];
  return {begin, begin + size_t{image.width} * 3};
}

bool same_row(const Image& a, const Image& b, uint32_t y) {
  return std::equal(row(a, y).begin, row(a, y).end, row(b, y).begin);
}

}  // namespace

struct Animation::Encoder {
  WebPConfig config;
  WebPPicture picture;
  WebPMemoryWriter encoded;
  WebPMux* file = WebPMuxNew();
  Area area = {0, 0, 0, 0};  // of the encoded frame

  Encoder() {
    WebPMemoryWriterInit(&encoded);
    const bool ready = file && WebPPictureInit(&picture) && WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, QUALITY);
    if (!ready) throw InputError("libwebp does not start; install the version that this tool was built with");
    config.method = METHOD;
    config.thread_level = 1;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &encoded;
  }
  ~Encoder() {
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&encoded);
    WebPMuxDelete(file);
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
};

Animation::Animation(const std::string& path) : file_(path), encoder_(std::make_unique<Encoder>()) {}

Animation::~Animation() = default;

void Animation::add(const Image& image, int time) {
  const bool is_first = shown_.pixels.empty();
  const Area area = is_first ? Area{0, 0, image.width, image.height} : changed_area(image);
  if (area.height == 0) return;
  if (!is_first) push_frame(time);
  encode(image, area);
  shown_ = image;
  shown_since_ = time;
}

void Animation::finish(int end) {
  push_frame(end);
  const WebPMuxAnimParams parameters = {0xffffffff, 0};  // white below it all, repeats for ever
  const auto width = static_cast<int>(shown_.width), height = static_cast<int>(shown_.height);
  WebPData data;
  WebPDataInit(&data);
  if (WebPMuxSetAnimationParams(encoder_->file, &parameters) != WEBP_MUX_OK ||
      WebPMuxSetCanvasSize(encoder_->file, width, height) != WEBP_MUX_OK ||
      WebPMuxAssemble(encoder_->file, &data) != WEBP_MUX_OK) {
    fail("libwebp does not put its frames together; there may not be enough memory");
  }
  const std::unique_ptr<WebPData, void (*)(WebPData*)> owner(&data, WebPDataClear);
  file_.write(data.bytes, data.size);
  file_.commit();
}

// Of no height if nothing changed. The format wants an even left and top.
Animation::Area Animation::changed_area(const Image& image) const {
  uint32_t top = 0, bottom = image.height;
  while (top < bottom && same_row(image, shown_, top)) ++top;
  while (top < bottom && same_row(image, shown_, bottom - 1)) --bottom;
  uint32_t left = image.width, right = 0;
  for (uint32_t y = top; y < bottom; ++y) {
    const Row now = row(image, y), before = row(shown_, y);
    const auto first = std::mismatch(now.begin, now.end, before.begin).first;
    if (first == now.end) continue;
    size_t last = static_cast<size_t>(now.end - now.begin) - 1;
    while (now.begin[last] == before.begin[last]) --last;
    left = std::min(left, static_cast<uint32_t>((first - now.begin) / 3));
    right = std::max(right, static_cast<uint32_t>(last / 3) + 1);
  }
  left -= left % 2, top -= top % 2;
  return top < bottom ? Area{left, top, right - left, bottom - top} : Area{0, 0, 0, 0};
}

void Animation::encode(const Image& image, Area area) {
  Encoder& encoder = *encoder_;
  encoder.area = area;
  encoder.picture.width = static_cast<int>(area.width);
  encoder.picture.height = static_cast<int>(area.height);
  const uint8_t* first = row(image, area.top).begin + size_t{area.left} * 3;
  if (!WebPPictureImportRGB(&encoder.picture, first, static_cast<int>(image.width * 3)) ||
      !WebPEncode(&encoder.config, &encoder.picture)) {
    fail("libwebp ends with error " + std::to_string(encoder.picture.error_code));
  }
}

// Moves the encoded frame into the file.
void Animation::push_frame(int end) {
  Encoder& encoder = *encoder_;
  WebPMuxFrameInfo frame = {};
  frame.bitstream = {encoder.encoded.mem, encoder.encoded.size};
  frame.x_offset = static_cast<int>(encoder.area.left);
  frame.y_offset = static_cast<int>(encoder.area.top);
  frame.duration = end - shown_since_;
  frame.id = WEBP_CHUNK_ANMF;
  frame.dispose_method = WEBP_MUX_DISPOSE_NONE;
  frame.blend_method = WEBP_MUX_NO_BLEND;
  if (WebPMuxPushFrame(encoder.file, &frame, 1) != WEBP_MUX_OK) fail("libwebp refuses a frame");
  WebPMemoryWriterClear(&encoder.encoded);
}

void Animation::fail(const std::string& reason) const {
  throw InputError("cannot make the animation '" + file_.path() + "': " + reason);
}

}  // namespace clothc_tool
