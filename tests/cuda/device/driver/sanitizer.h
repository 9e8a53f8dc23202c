// sanitizer.h - tells ThreadSanitizer which orders of memory accesses CUDA promises. A program that relies on any other
// order has a race, although the device's own locks happen to order its accesses; so ThreadSanitizer ignores these
// locks and everything else inside the device, and sees only the orders that are declared here. Without ThreadSanitizer
// all of this is nothing.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define CLOTHC_CUDA_DEVICE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CLOTHC_CUDA_DEVICE_TSAN 1
#endif
#endif

#if defined(CLOTHC_CUDA_DEVICE_TSAN)
extern "C" {
void AnnotateIgnoreSyncBegin(const char* file, int line);
void AnnotateIgnoreSyncEnd(const char* file, int line);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace clothc::cuda_device {

inline void begin_ignoring() {
#if defined(CLOTHC_CUDA_DEVICE_TSAN)
  AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
}

inline void end_ignoring() {
#if defined(CLOTHC_CUDA_DEVICE_TSAN)
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
#endif
}

// Covers code of the device.
class InsideDevice {
 public:
  InsideDevice() { begin_ignoring(); }
  ~InsideDevice() { end_ignoring(); }
  InsideDevice(const InsideDevice&) = delete;
  InsideDevice& operator=(const InsideDevice&) = delete;
};

// Covers, within InsideDevice, accesses to the program's memory: by kernels, copies and host functions.
class OutsideDevice {
 public:
  OutsideDevice() { end_ignoring(); }
  ~OutsideDevice() { begin_ignoring(); }
  OutsideDevice(const OutsideDevice&) = delete;
  OutsideDevice& operator=(const OutsideDevice&) = delete;
};

// Everything that a thread did before it declares the beginning of an order comes before everything that a thread does
// after it declares the end of it. Both are called within InsideDevice.
inline void begin_order([[maybe_unused]] const void* point) {
#if defined(CLOTHC_CUDA_DEVICE_TSAN)
  const OutsideDevice outside;
  __tsan_release(const_cast<void*>(point));
#endif
}

inline void end_order([[maybe_unused]] const void* point) {
#if defined(CLOTHC_CUDA_DEVICE_TSAN)
  const OutsideDevice outside;
  __tsan_acquire(const_cast<void*>(point));
#endif
}

}  // namespace clothc::cuda_device
