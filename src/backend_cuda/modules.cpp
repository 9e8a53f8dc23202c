// modules.cpp - holds the PTX texts and loads them.
#include "backend_cuda/modules.h"

#include "kernels/ptx/modules.h"

namespace clothc::cuda {
namespace {

// The parts of a text, and the name of its function.
struct Text {
  const char* const* parts;
  size_t count;
  const char* function;
};
template <size_t count>
constexpr Text text_of(const char* const (&parts)[count], const char* function) {
  return {parts, count, function};
}
#define CLOTHC_TEXT(name) text_of(name##_ptx, "clothc_" #name),

constexpr Text texts[] = {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) CLOTHC_TEXT(name)
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
    CLOTHC_TEXT(program_plain) CLOTHC_TEXT(program_extended) CLOTHC_TEXT(copy)
#define CLOTHC_TABLE_KERNEL(name) CLOTHC_TEXT(name)
#include "backend_gpu/table_kernels.def"
#undef CLOTHC_TABLE_KERNEL
};
#undef CLOTHC_TEXT
static_assert(sizeof(texts) / sizeof(texts[0]) == gpu::entry_point_count, "a text per entry point");

const Text& text_at(gpu::EntryPoint entry) { return texts[static_cast<uint32_t>(entry)]; }

}  // namespace

std::string module_text(gpu::EntryPoint entry) {
  const Text& text = text_at(entry);
  std::string joined;
  for (size_t k = 0; k < text.count; ++k) joined += text.parts[k];
  return joined;
}

const char* function_name(gpu::EntryPoint entry) { return text_at(entry).function; }

Functions::~Functions() {
  if (!gpu_->may_free()) return;
  const CurrentContext current(*gpu_);
  for (const CUmodule module : modules_) {
    if (module != nullptr) gpu_->driver().ModuleUnload(module);
  }
}

CUfunction Functions::of(gpu::EntryPoint entry) {
  const std::lock_guard<std::mutex> lock(mutex_);
  CUfunction& function = functions_[static_cast<uint32_t>(entry)];
  if (function == nullptr) load(entry);
  return function;
}

void Functions::load(gpu::EntryPoint entry) {
  const std::string text = module_text(entry);
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof(log) - 1)};
  CUmodule& module = modules_[static_cast<uint32_t>(entry)];
  const Driver& driver = gpu_->driver();
  if (module == nullptr) {
    const CUresult loaded = driver.ModuleLoadDataEx(&module, text.c_str(), 2, options, values);
    if (loaded != CUDA_SUCCESS) module = nullptr;
    const bool is_refused = loaded == CUDA_ERROR_INVALID_PTX || loaded == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ||
                            loaded == CUDA_ERROR_NO_BINARY_FOR_GPU || loaded == CUDA_ERROR_INVALID_IMAGE;
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, !is_refused,
                      "the driver of \"%s\" does not compile %s: cuModuleLoadDataEx gave %s; update the driver. %s",
                      gpu_->adapter().info.name, function_name(entry), driver.name_of(loaded), log);
    gpu_->check(loaded, "cuModuleLoadDataEx");
  }
  gpu_->check(driver.ModuleGetFunction(&functions_[static_cast<uint32_t>(entry)], module, function_name(entry)),
              "cuModuleGetFunction");
  if (entry < gpu::EntryPoint::first_program || entry >= gpu::EntryPoint::copy) return;
  // Programs have as much shared memory as a block may have at most.
  const CUresult allowed =
      driver.FuncSetAttribute(functions_[static_cast<uint32_t>(entry)], CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              static_cast<int>(gpu_->adapter().shared_memory_per_block));
  if (allowed != CUDA_SUCCESS) functions_[static_cast<uint32_t>(entry)] = nullptr;
  gpu_->check(allowed, "cuFuncSetAttribute");
}

}  // namespace clothc::cuda
