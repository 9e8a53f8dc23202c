// device.h - the object behind clothc_device. It owns the backend, what is known of the bits that this gives, and holds the
// application's callback for messages.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

#include "core/backend/backend.h"
#include "core/objects/handles.h"
#include "core/objects/verification.h"

namespace clothc {

class Device final : public Object {
 public:
  static constexpr ObjectKind object_kind = ObjectKind::device;

  Device(std::unique_ptr<Backend> backend, const clothc_device_info& info, const MessageSink& sink);
  ~Device() override;

  // Lets clothc_device_destroy wait until the device has been destroyed, which is when no call uses it any more and its
  // threads have been joined.
  class Closing {
   public:
    void announce();
    void wait();

   private:
    std::mutex mutex_;
    std::condition_variable announced_;
    bool gone_ = false;
  };
  const std::shared_ptr<Closing>& closing() const { return closing_; }

  Backend& backend() const { return *backend_; }
  // What is known of the bits that the device gives. Its thread uses the device.
  Verification& verification() { return verification_; }
  const Verification& verification() const { return verification_; }
  // Whether the device has STRICT_PARITY depends on what is known at the moment.
  clothc_device_info info() const;
  MessageSink message_sink() const override { return sink_; }

 private:
  std::unique_ptr<Backend> backend_;
  clothc_device_info info_;
  MessageSink sink_;
  Verification verification_;
  std::shared_ptr<Closing> closing_ = std::make_shared<Closing>();
};

// Returns every device of this machine. Backends without a device are included, with the reason.
std::vector<clothc_device_info> enumerate_devices();

// Throws Failure if a caller's desc has a value that is not allowed.
void check_device_desc(const clothc_device_desc& desc);

// Looks at a new device. Throws Failure if it will not do.
using DeviceCheck = std::function<void(Device&)>;

// Makes the device for a validated desc, and checks it. For CLOTHC_BACKEND_AUTO it takes the best device that works and
// will do, and tells the application's callback of each better one that it has passed over.
std::shared_ptr<Device> create_device(const clothc_device_desc& desc, const DeviceCheck& check);
// Makes a device of that backend which uses objects of the application, see BackendKind::adopt, and checks it.
std::shared_ptr<Device> adopt_device(const clothc_device_desc& desc, clothc_backend backend, const void* native,
                                     const DeviceCheck& check);
// Fills the struct that tells what such objects must have been created with: see BackendKind::require.
void require_for_adoption(clothc_backend backend, const void* native, void* requirements);

}  // namespace clothc
