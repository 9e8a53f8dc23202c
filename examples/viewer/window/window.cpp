// window.cpp - the loop: events, user interface, updates, drawing, one frame after the other.
#include "window/window.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "render/frames.h"
#include "render/renderer.h"
#include "window/gestures.h"
#include "window/keys.h"
#include "window/panels.h"
#include "window/screenshot.h"
#include "window/script.h"
#include "window/swapchain.h"
#include "window/ui.h"

namespace clothc_viewer {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

// Frames that are drawn after the last event, because some of the user interface follows one or two frames later.
constexpr int FRAMES_AFTER_EVENTS = 4;

// How long the loop waits for events while nothing changes.
constexpr double IDLE_SECONDS = 0.5;

// How long it waits while the window has no image to draw to.
constexpr double RETRY_SECONDS = 0.05;

clothc_renderer::GraphicsOptions graphics_options(const GlfwWindow& window, const WindowOptions& options) {
  clothc_renderer::GraphicsOptions wanted = options.graphics;
  window.add_requirements(wanted);
  return wanted;
}

class Loop {
 public:
  explicit Loop(const WindowOptions& options)
      : window_("clothc viewer", options.width, options.height),
        graphics_(graphics_options(window_, options)),
        surface_(graphics_, window_.make_surface(graphics_)),
        renderer_(graphics_, {surface_.format().format, Swapchain::FINAL_LAYOUT}),
        swapchain_(graphics_, surface_, renderer_),
        ui_(window_, graphics_, renderer_, options.scale > 0 ? options.scale : window_.content_scale()),
        session_(graphics_, options),
        frames_(graphics_) {
    ui_.upload_letters(frames_);
    if (!options.script.empty()) script_.emplace(options.script);
  }

  int run() {
    while (!window_.is_closed()) {
      handle_events();
      if (is_idle_ && frames_to_draw_ == 0) continue;
      if (script_ && !session_.preparation() && !script_->next_frame(window_, session_)) break;
      if (window_.size().is_empty()) {
        window_.handle_events(IDLE_SECONDS);
        continue;
      }
      draw_user_interface();
      update();
      draw();
      session_.run_requests();
      window_.set_title(session_.is_open() ? session_.source().name() + " - clothc viewer" : "clothc viewer");
    }
    frames_.wait();
    return graphics_.validation_message_count() > 0 || (script_ && script_->has_failed()) ? 1 : 0;
  }

 private:
  void handle_events() {
    // While nothing moves, the loop waits for events, and so leaves the processor to others.
    is_idle_ = !script_ && !session_.playback.is_playing && !session_.preparation() && frames_to_draw_ == 0;
    window_.handle_events(is_idle_ ? IDLE_SECONDS : 0);
    frames_to_draw_ = window_.take_activity() ? FRAMES_AFTER_EVENTS : std::max(frames_to_draw_ - 1, 0);
    for (const std::string& path : window_.take_dropped_files()) session_.request_open(path);
  }

  void draw_user_interface() {
    ui_.begin_frame([&] {
      if (script_) script_->set_input();
    });
    session_.items.begin_frame();
    draw_panels(session_);
    if (handle_keys(session_)) window_.close();
    gestures_.handle(session_);
    ui_.end_frame();
  }

  void update() {
    const Clock::time_point now = Clock::now();
    interval_ = now - last_update_;
    last_update_ = now;
    // A script gets the same frames on every machine.
    session_.advance(script_ ? static_cast<double>(frame_seconds()) : interval_.count() / 1000);
  }

  float frame_seconds() { return session_.is_open() ? session_.source().dt() : 0; }

  void draw() {
    std::optional<Swapchain::Image> image = swapchain_.acquire(window_.size());
    if (!image) image = swapchain_.acquire(window_.size());
    if (!image) return window_.handle_events(RETRY_SECONDS);
    clothc_renderer::Frame& frame = frames_.begin();
    const Clock::time_point begin = Clock::now();
    const clothc_renderer::Camera camera = session_.view.camera(session_.orbit);
    clothc_renderer::DrawList list;
    if (session_.is_open()) session_.attempt([&] { session_.viewer().add(frame, list); });
    renderer_.record(frame, camera, list, *image->target, [&](VkCommandBuffer commands) { ui_.draw(commands); });
    std::optional<Screenshot> screenshot;
    if (script_ && !script_->screenshot().empty()) screenshot.emplace(graphics_, swapchain_, *image, frame.commands());
    frames_.submit(image->is_free, image->is_drawn);
    const Milliseconds time = Clock::now() - begin;
    // The time from the last frame on says nothing if the loop has waited.
    if (!is_idle_) {
      session_.times.add_frame(interval_.count(), time.count(), frames_.milliseconds(),
                               session_.is_open() ? session_.viewer().host_copied_bytes() : 0);
    }
    if (screenshot) {
      frames_.wait();
      screenshot->write(script_->screenshot());
    }
    swapchain_.present();
  }

  GlfwWindow window_;
  clothc_renderer::Graphics graphics_;
  Surface surface_;
  clothc_renderer::Renderer renderer_;
  Swapchain swapchain_;
  Ui ui_;
  Session session_;
  Gestures gestures_;
  std::optional<Script> script_;
  int frames_to_draw_ = FRAMES_AFTER_EVENTS;
  bool is_idle_ = false;
  Clock::time_point last_update_ = Clock::now();
  Milliseconds interval_{0};

  // Destroyed first, because it waits.
  clothc_renderer::Frames frames_;
};

}  // namespace

int run_window(const WindowOptions& options) { return Loop(options).run(); }

}  // namespace clothc_viewer
