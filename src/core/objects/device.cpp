// device.cpp - lists the devices of all backends, and chooses the one to create.
#include "core/objects/device.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>

#include "core/base/structs.h"

namespace clothc {
namespace {

const char* name_of_backend(clothc_backend backend) {
  switch (backend) {
    case CLOTHC_BACKEND_CPU:
      return "cpu";
    case CLOTHC_BACKEND_CUDA:
      return "cuda";
    case CLOTHC_BACKEND_VULKAN:
      return "vulkan";
    default:
      return "unknown";
  }
}

void append_reason(clothc_device_info& info, const std::string& text) {
  std::snprintf(info.reason, sizeof(info.reason), "%s", text.c_str());
}

std::shared_ptr<Device> make_device(std::unique_ptr<Backend> backend, const clothc_device_desc& desc,
                                    const std::string& reason, const DeviceCheck& check) {
  clothc_device_info info = backend->info();
  append_reason(info, reason);
  auto device = std::make_shared<Device>(std::move(backend), info, MessageSink{desc.message, desc.message_user});
  check(*device);
  return device;
}

std::string identity_of(Backend* backend) { return backend != nullptr ? backend->compiler_identity() : ""; }

}  // namespace

void check_device_desc(const clothc_device_desc& desc) {
  CLOTHC_REQUIRE(desc.backend <= CLOTHC_BACKEND_VULKAN, "device_desc.backend is %u; want one of CLOTHC_BACKEND_...",
                 desc.backend);
  CLOTHC_REQUIRE(desc.isa <= CLOTHC_ISA_NEON, "device_desc.isa is %u; want one of CLOTHC_ISA_...", desc.isa);
  CLOTHC_REQUIRE(desc.worker_count <= 256, "device_desc.worker_count is %u; want 0 to 256", desc.worker_count);
  constexpr uint32_t known_flags = CLOTHC_DEVICE_TASKS_ONLY | CLOTHC_DEVICE_STRICT_PARITY;
  CLOTHC_REQUIRE((desc.flags & ~known_flags) == 0, "device_desc.flags is 0x%x; want CLOTHC_DEVICE_... only",
                 desc.flags);
  CLOTHC_REQUIRE(desc.hang_timeout_ms >= 100 && desc.hang_timeout_ms <= 3600000,
                 "device_desc.hang_timeout_ms is %u; want 100 to 3600000", desc.hang_timeout_ms);
  CLOTHC_REQUIRE(desc.reserved == 0, "device_desc.reserved is %u; want 0", desc.reserved);
  CLOTHC_REQUIRE((desc.allocate == nullptr) == (desc.free == nullptr),
                 "device_desc has only one of allocate and free; want both or neither");
  CLOTHC_REQUIRE(desc.cache != nullptr || desc.cache_size == 0, "device_desc.cache is null, but cache_size is %llu",
                 static_cast<unsigned long long>(desc.cache_size));
}

Device::Device(std::unique_ptr<Backend> backend, const clothc_device_info& info, const MessageSink& sink)
    : Object(object_kind, nullptr),
      backend_(std::move(backend)),
      info_(info),
      sink_(sink),
      verification_((info.capabilities & CLOTHC_CAPABILITY_STRICT_PARITY) != 0, identity_of(backend_.get())) {}

clothc_device_info Device::info() const {
  clothc_device_info info = info_;
  info.capabilities &= ~uint32_t{CLOTHC_CAPABILITY_STRICT_PARITY};
  if (verification_.is_strict()) info.capabilities |= CLOTHC_CAPABILITY_STRICT_PARITY;
  return info;
}

Device::~Device() {
  verification_.end();
  backend_.reset();
  closing_->announce();
}

void Device::Closing::announce() {
  const std::lock_guard<std::mutex> lock(mutex_);
  gone_ = true;
  announced_.notify_all();
}

void Device::Closing::wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  announced_.wait(lock, [this] { return gone_; });
}

std::vector<clothc_device_info> enumerate_devices() {
  std::vector<clothc_device_info> infos;
  for (const BackendKind& kind : backend_kinds()) kind.enumerate(infos);
  return infos;
}

namespace {

bool has_uuid(const clothc_device_desc& desc) {
  return std::any_of(std::begin(desc.uuid), std::end(desc.uuid), [](uint8_t byte) { return byte != 0; });
}

std::string uuid_text(const uint8_t (&uuid)[16]) {
  std::string text;
  for (const uint8_t byte : uuid) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", byte);
    text += digits;
  }
  return text;
}

// Returns the desc with the backend and the index of the device that has its UUID. Fails if there is no such device.
clothc_device_desc find_by_uuid(clothc_device_desc desc) {
  for (const clothc_device_info& info : enumerate_devices()) {
    const bool wanted = desc.backend == CLOTHC_BACKEND_AUTO || desc.backend == info.backend;
    if (!wanted || !std::equal(std::begin(desc.uuid), std::end(desc.uuid), std::begin(info.uuid))) continue;
    desc.backend = info.backend;
    desc.device_index = info.device_index;
    return desc;
  }
  fail(CLOTHC_ERROR_UNSUPPORTED, "no %s device here has the UUID %s; clothc_device_enumerate lists those there are",
       desc.backend == CLOTHC_BACKEND_AUTO ? "" : name_of_backend(desc.backend), uuid_text(desc.uuid).c_str());
}

}  // namespace

std::shared_ptr<Device> create_device(const clothc_device_desc& wanted, const DeviceCheck& check) {
  const clothc_device_desc desc = has_uuid(wanted) ? find_by_uuid(wanted) : wanted;
  std::string passed_over;
  for (const BackendKind& kind : backend_kinds()) {
    if (desc.backend == kind.backend) return make_device(kind.create(desc), desc, "asked for", check);
    if (desc.backend != CLOTHC_BACKEND_AUTO) continue;
    std::vector<clothc_device_info> infos;
    kind.enumerate(infos);
    std::string reason = "no device with this index";
    for (const clothc_device_info& info : infos) {
      if (info.available != 0 && info.device_index != desc.device_index) continue;
      reason = (info.capabilities & CLOTHC_CAPABILITY_SOFTWARE_DEVICE) != 0 ? "runs on the processor" : info.reason;
      if (info.available == 0 || (info.capabilities & CLOTHC_CAPABILITY_SOFTWARE_DEVICE) != 0) continue;
      try {
        return make_device(kind.create(desc), desc, "the best that works" + passed_over, check);
      } catch (const Failure&) {
        reason = failure_message();
        inform("the %s device %u, \"%s\", was passed over: %s", name_of_backend(kind.backend), info.device_index,
               info.name, reason.c_str());
      }
    }
    passed_over += std::string("; ") + name_of_backend(kind.backend) + ": " + reason;
  }
  fail(CLOTHC_ERROR_UNSUPPORTED, "no %s device with index %u works here%s; clothc_device_enumerate lists what does",
       desc.backend == CLOTHC_BACKEND_AUTO ? "" : name_of_backend(desc.backend), desc.device_index,
       passed_over.c_str());
}

namespace {

const BackendKind& adopting_kind(clothc_backend backend) {
  for (const BackendKind& kind : backend_kinds()) {
    if (kind.backend == backend && kind.adopt != nullptr) return kind;
  }
  fail(CLOTHC_ERROR_UNSUPPORTED, "this build of the library has no %s backend that could adopt anything",
       name_of_backend(backend));
}

}  // namespace

std::shared_ptr<Device> adopt_device(const clothc_device_desc& desc, clothc_backend backend, const void* native,
                                     const DeviceCheck& check) {
  return make_device(adopting_kind(backend).adopt(desc, native), desc, "asked for", check);
}

void require_for_adoption(clothc_backend backend, const void* native, void* requirements) {
  adopting_kind(backend).require(native, requirements);
}

}  // namespace clothc
