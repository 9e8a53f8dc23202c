// application.h - a program that uses CUDA itself: the driver's functions, from the library that CLOTHC_CUDA_LIBRARY names
// or from the machine's driver, a context of its own with streams, memory and graphs, and devices of clothc that adopt
// them.
#pragma once

#include <clothc_cuda.h>

#include <memory>

#include "cuda/backend_fixture.h"
#include "cuda/device/driver/application_api.h"

namespace clothc_test {

struct DriverFunctions {
  static const char* path() {
    const char* const named = std::getenv("CLOTHC_CUDA_LIBRARY");
    return named != nullptr ? named : "libcuda.so.1";
  }
  static clothc::platform::SharedLibrary open() {
    clothc::platform::SharedLibrary opened;
    opened.open(path());
    return opened;
  }
  const clothc::platform::SharedLibrary library = open();
#define CLOTHC_CUDA_FUNCTION(name, symbol, parameters) \
  CUresult(*name) parameters = library.find<CUresult(*) parameters>(#symbol);
#include "backend_cuda/functions.def"
#include "cuda/device/driver/application_functions.def"
#undef CLOTHC_CUDA_FUNCTION
};

inline const DriverFunctions& driver() {
  static const DriverFunctions only;
  return only;
}

#define ASSERT_CUDA(call) ASSERT_EQ(call, CUDA_SUCCESS) << #call
#define EXPECT_CUDA(call) EXPECT_EQ(call, CUDA_SUCCESS) << #call

// Has a context current, as programs do, and destroys what a test has made, in the order that clothc_cuda.h asks for.
class AsApplication : public OnAnyCuda {
 protected:
  void SetUp() override {
    OnAnyCuda::SetUp();
    if (IsSkipped()) return;
    ASSERT_CUDA(driver().Init(0));
    ASSERT_CUDA(driver().CtxCreate(&context_, 0, 0));
  }
  void TearDown() override {
    if (context_ != nullptr) {
      software_device().set("");
      expect_current({context_});
      for (const CUgraphExec executable : executables_) EXPECT_CUDA(driver().GraphExecDestroy(executable));
      for (const CUgraph graph : graphs_) EXPECT_CUDA(driver().GraphDestroy(graph));
      for (const clothc_device device : devices_) EXPECT_OK(clothc_device_destroy(device));
      for (const CUdeviceptr pointer : allocated_) EXPECT_CUDA(driver().MemFree(pointer));
      for (const CUstream stream : streams_) EXPECT_CUDA(driver().StreamDestroy(stream));
      EXPECT_CUDA(driver().CtxDestroy(context_));
      const std::string report = software_device().report();
      EXPECT_TRUE(leaves_objects_ || report.empty()) << report;
    }
    OnAnyCuda::TearDown();
  }

  // Expects exactly these contexts to be on this thread's stack, the current one first.
  static void expect_current(const std::vector<CUcontext>& contexts) {
    for (const CUcontext expected : contexts) {
      CUcontext current = nullptr;
      EXPECT_CUDA(driver().CtxPopCurrent(&current));
      EXPECT_EQ(current, expected) << "a call of clothc has changed the current context";
    }
    CUcontext below = nullptr;
    EXPECT_CUDA(driver().CtxGetCurrent(&below));
    EXPECT_EQ(below, nullptr) << "a call of clothc has left a context on the stack";
    for (size_t k = contexts.size(); k-- > 0;) EXPECT_CUDA(driver().CtxPushCurrent(contexts[k]));
  }

  CUstream make_stream() {
    CUstream stream = nullptr;
    EXPECT_CUDA(driver().StreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    streams_.push_back(stream);
    return stream;
  }
  CUdeviceptr allocate(size_t size) {
    CUdeviceptr pointer = 0;
    EXPECT_CUDA(driver().MemAlloc(&pointer, size));
    allocated_.push_back(pointer);
    return pointer;
  }
  static clothc_cuda_device_desc adoption(CUcontext context, CUstream stream) {
    clothc_cuda_device_desc desc = initialised<clothc_cuda_device_desc>();
    desc.context = context;
    desc.stream = stream;
    return desc;
  }
  clothc_device adopt(CUcontext context, CUstream stream) {
    const clothc_device_desc desc = initialised<clothc_device_desc>();
    const clothc_cuda_device_desc cuda = adoption(context, stream);
    clothc_device device = nullptr;
    EXPECT_OK(clothc_cuda_device_create(&desc, &cuda, &device));
    devices_.push_back(device);
    return device;
  }

  // A sheet in a solver of a device, hung by its corners.
  struct World {
    clothc_device device;
    clothc_fabric fabric;
    clothc_solver solver;
    clothc_cloth_id cloth;
    Sheet sheet;
    uint32_t vertices() const { return static_cast<uint32_t>(sheet.desc().vertex_count); }
    void step(int count, float dt = 1.0f / 60) const {
      for (int k = 0; k < count; ++k) update_solver(solver, dt);
    }
    uint64_t hash() const { return state_hash(solver); }
  };
  static World populate(clothc_device device, clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO) {
    World world{device, nullptr, nullptr, 0, Sheet(9, 8)};
    world.fabric = cook_fabric(device, world.sheet.desc());
    clothc_solver_desc solver = initialised<clothc_solver_desc>();
    solver.particle_capacity = 1024;
    solver.cloth_capacity = 8;
    solver.schedule = schedule;
    world.solver = create_solver(device, solver);
    clothc_cloth_desc cloth = initialised<clothc_cloth_desc>();
    cloth.fabric = world.fabric;
    world.cloth = add_cloth(world.solver, cloth);
    return world;
  }
  // What the same sheet does on the processor.
  static uint64_t expected_hash(int updates, clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO, float dt = 1.0f / 60) {
    clothc_device_desc desc = initialised<clothc_device_desc>();
    desc.backend = CLOTHC_BACKEND_CPU;
    const clothc_device device = create_device(desc);
    const World world = populate(device, schedule);
    world.step(updates, dt);
    const uint64_t hash = world.hash();
    EXPECT_OK(clothc_device_destroy(device));
    return hash;
  }

  std::vector<float> read_floats(CUdeviceptr pointer, size_t count) {
    std::vector<float> values(count);
    EXPECT_CUDA(driver().CtxSynchronize());
    EXPECT_CUDA(driver().MemcpyDtoH(values.data(), pointer, count * sizeof(float)));
    return values;
  }

  CUcontext context_ = nullptr;
  // Set by a test of a device that hangs, which leaves to the context what it has.
  bool leaves_objects_ = false;
  std::vector<clothc_device> devices_;
  std::vector<CUstream> streams_;
  std::vector<CUdeviceptr> allocated_;
  std::vector<CUgraph> graphs_;
  std::vector<CUgraphExec> executables_;
};

}  // namespace clothc_test
