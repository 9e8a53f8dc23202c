// pictures.cpp - writes pictures of a simulation's frames, a contact sheet of them, and an animation. A frame that is
// used for several of these is rendered once.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "picture/animation.h"
#include "picture/drawing.h"
#include "picture/scene.h"
#include "simulation/output.h"

namespace clothc_tool {
namespace {

constexpr uint32_t SHEET_COLUMNS = 3, SHEET_PICTURES = 9;

// Approximate number of pictures per second.
constexpr float ANIMATION_RATE = 30;

// Replaces characters that a file name cannot contain; a scene's name may be any text.
std::string picture_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '\\' || c == '\0'; }, '_');
  return name.empty() ? "scene" : name;
}

class PictureOutput : public FrameOutput {
 public:
  PictureOutput(const OutputOptions& options, const SceneSimulation& simulation, uint32_t frame_count)
      : folder_(options.folder),
        simulation_(simulation),
        renderer_(make_picture_renderer(options.renderer, {options.width, options.height})) {
    const Scene& scene = simulation.scene();
    if (options.pictures) schedule_pictures(options, frame_count);
    if (options.animation) start_animation(options, scene);
    prepare_cloths();
    drawn_.camera = camera_of(scene, static_cast<float>(options.width) / static_cast<float>(options.height));
  }

  std::string renderer() const override { return renderer_->name(); }

  bool wants(uint32_t frame) const override { return wants_picture(frame) || wants_animation(frame); }

  void add(uint32_t frame, const FrameState& state) override {
    for (size_t i = 0; i < state.size(); ++i) drawn_.cloths[i].positions = state[i];
    place_colliders(simulation_.scene(), static_cast<float>(frame), drawn_);
    const Image image = renderer_->render(drawn_);
    if (wants_picture(frame)) add_picture(frame, image);
    if (!wants_animation(frame)) return;
    animation_->add(image, milliseconds(frame));
    animation_end_ = milliseconds(frame + animation_every_);
  }

  void finish() override {
    if (!thumbnails_.empty()) {
      files_.push_back(folder_ + "/contact.png");
      write_png(files_.back(), contact_sheet(thumbnails_, SHEET_COLUMNS));
    }
    if (!animation_) return;
    animation_->finish(animation_end_);
    files_.push_back(animation_path_);
  }

 private:
  void schedule_pictures(const OutputOptions& options, uint32_t frame_count) {
    every_ = options.picture_every ? options.picture_every : std::max(1u, frame_count / (SHEET_PICTURES - 1));
    const uint32_t picture_count = frame_count / every_ + 1;
    sheet_every_ = every_ * ((picture_count + SHEET_PICTURES - 1) / SHEET_PICTURES);
  }

  void start_animation(const OutputOptions& options, const Scene& scene) {
    const float wanted = std::round(1 / (ANIMATION_RATE * scene.dt));
    animation_every_ =
        options.animation_every ? options.animation_every : static_cast<uint32_t>(std::max(1.0f, wanted));
    animation_path_ = folder_ + "/" + picture_name(scene.name) + ".webp";
    animation_.emplace(animation_path_);
  }

  bool wants_picture(uint32_t frame) const { return every_ && frame % every_ == 0; }
  bool wants_animation(uint32_t frame) const { return animation_ && frame % animation_every_ == 0; }

  // Returns the time of a frame. If frames are shorter than WebP's resolution of a millisecond allows, they are slowed
  // down.
  int milliseconds(uint32_t frame) const {
    const double step = std::max(1000 * double{simulation_.scene().dt}, 1.0 / animation_every_);
    return static_cast<int>(std::lround(frame * step));
  }

  void add_picture(uint32_t frame, const Image& image) {
    char name[32];
    std::snprintf(name, sizeof name, "/frame_%04u.png", frame);
    files_.push_back(folder_ + name);
    write_png(files_.back(), image);
    if (frame % sheet_every_ == 0) thumbnails_.push_back(halved(image));
  }

  void prepare_cloths() {
    for (size_t i = 0; i < simulation_.cloths().size(); ++i) {
      const auto triangles = simulation_.cloths()[i].fabric->read<uint32_t>(CLOTHC_FABRIC_TRIANGLES).value();
      drawn_.cloths.push_back({{}, triangles, simulation_.scene().cloths[i].colour});
    }
  }

  std::string folder_;
  const SceneSimulation& simulation_;
  std::unique_ptr<PictureRenderer> renderer_;
  RenderScene drawn_;

  // 0 = none
  uint32_t every_ = 0, sheet_every_ = 0;

  std::vector<Image> thumbnails_;
  std::optional<Animation> animation_;
  std::string animation_path_;
  uint32_t animation_every_ = 0;

  // Milliseconds.
  int animation_end_ = 0;
};

}  // namespace

std::unique_ptr<FrameOutput> make_picture_output(const OutputOptions& options, const SceneSimulation& simulation,
                                                 uint32_t frame_count) {
  return std::make_unique<PictureOutput>(options, simulation, frame_count);
}

}  // namespace clothc_tool
