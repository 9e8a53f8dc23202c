// animation.cpp - writes animated WebP through libwebp's WebPAnimEncoder, which encodes the differences between images
// with loss.
#include "picture/animation.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include "cli/errors.h"

namespace clothc_tool {
namespace {

constexpr float QUALITY = 75;

// 0 .. 6; takes less time than the default, 4, and makes files a 14th larger.
constexpr int METHOD = 2;

// Frames between those from which a player can start: about one per second, which makes files a 50th larger.
constexpr int KEY_FRAME_DISTANCE = 30;

WebPAnimEncoderOptions encoder_options() {
  WebPAnimEncoderOptions options;
  if (!WebPAnimEncoderOptionsInit(&options)) {
    throw InputError("libwebp does not start; install the version that this tool was built with");
  }
  options.anim_params.bgcolor = 0xffffffff;
  options.minimize_size = 0;
  options.allow_mixed = 0;
  options.kmin = KEY_FRAME_DISTANCE - 1;
  options.kmax = KEY_FRAME_DISTANCE;
  return options;
}

}  // namespace

struct Animation::Encoder {
  WebPAnimEncoder* encoder;
  WebPConfig config;
  WebPPicture picture;

  Encoder(int width, int height) {
    const WebPAnimEncoderOptions options = encoder_options();
    encoder = WebPAnimEncoderNew(width, height, &options);
    if (!encoder || !WebPPictureInit(&picture) || !WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, QUALITY)) {
      WebPAnimEncoderDelete(encoder);
      throw InputError("libwebp cannot start an animation of this size; there may not be enough memory");
    }
    config.method = METHOD;
    config.thread_level = 1;
    picture.use_argb = 1;
    picture.width = width;
    picture.height = height;
  }
  ~Encoder() {
    WebPPictureFree(&picture);
    WebPAnimEncoderDelete(encoder);
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
};

Animation::Animation(const std::string& path) : file_(path) {}

Animation::~Animation() = default;

void Animation::add(const Image& image, int time) {
  const auto width = static_cast<int>(image.width), height = static_cast<int>(image.height);
  if (!encoder_) encoder_ = std::make_unique<Encoder>(width, height);
  Encoder& encoder = *encoder_;
  if (!WebPPictureImportRGB(&encoder.picture, image.pixels.data(), width * 3) ||
      !WebPAnimEncoderAdd(encoder.encoder, &encoder.picture, time, &encoder.config)) {
    fail("encode an image of");
  }
}

void Animation::finish(int end) {
  WebPData data;
  WebPDataInit(&data);
  if (!WebPAnimEncoderAdd(encoder_->encoder, nullptr, end, nullptr) ||
      !WebPAnimEncoderAssemble(encoder_->encoder, &data)) {
    fail("put together");
  }
  const std::unique_ptr<WebPData, void (*)(WebPData*)> owner(&data, WebPDataClear);
  file_.write(data.bytes, data.size);
  file_.commit();
}

void Animation::fail(const char* action) const {
  throw InputError(std::string("cannot ") + action + " the animation '" + file_.path() +
                   "': " + WebPAnimEncoderGetError(encoder_->encoder));
}

}  // namespace clothc_tool
