// modules.cpp - holds the PTX texts, and loads native code or, where there is none that the driver takes, the texts.
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

// Whether the result says that the driver has no compiler, or may not use it.
bool has_no_compiler(CUresult result) {
  return result == CUDA_ERROR_JIT_COMPILER_NOT_FOUND || result == CUDA_ERROR_JIT_COMPILATION_DISABLED;
}

// Whether this result of a call that loads says that the driver cannot use what it was given.
bool is_refusal(CUresult result) {
  return has_no_compiler(result) || result == CUDA_ERROR_INVALID_PTX || result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ||
         result == CUDA_ERROR_NO_BINARY_FOR_GPU || result == CUDA_ERROR_INVALID_IMAGE ||
         result == CUDA_ERROR_NOT_SUPPORTED;
}

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
  for (const Entry& entry : entries_) {
    if (entry.module != nullptr) gpu_->driver().ModuleUnload(entry.module);
  }
}

CUfunction Functions::of(gpu::EntryPoint entry) {
  Entry& of = entries_[static_cast<uint32_t>(entry)];
  const CUfunction loaded = of.function.load(std::memory_order_acquire);
  if (loaded != nullptr) return loaded;
  const std::lock_guard<std::mutex> lock(of.mutex);
  if (of.function == nullptr) of.function = load(entry, of.module);
  return of.function;
}

CUmodule Functions::load_module(gpu::EntryPoint entry) {
  const void* image =
      find_image(native_, function_name(entry), gpu_->adapter().compute_capability, gpu_->driver().version());
  if (image == nullptr) return compile(entry);
  CUmodule module = nullptr;
  const CUresult loaded = gpu_->driver().ModuleLoadDataEx(&module, image, 0, nullptr, nullptr);
  if (is_refusal(loaded)) return compile(entry);
  gpu_->check(loaded, "cuModuleLoadDataEx");
  // Drivers may put off loading, and with it the refusal, until a function is asked for.
  CUfunction function = nullptr;
  if (!is_refusal(gpu_->driver().ModuleGetFunction(&function, module, function_name(entry)))) return module;
  gpu_->driver().ModuleUnload(module);
  return compile(entry);
}

CUmodule Functions::compile(gpu::EntryPoint entry) {
  const std::string text = module_text(entry);
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof(log) - 1)};
  CUmodule module = nullptr;
  const Driver& driver = gpu_->driver();
  require_compiled(driver.ModuleLoadDataEx(&module, text.c_str(), 2, options, values), "cuModuleLoadDataEx", entry,
                   log);
  return module;
}

void Functions::require_compiled(CUresult result, const char* call, gpu::EntryPoint entry, const char* log) {
  const char* const remedy = has_no_compiler(result)
                                 ? "install its compiler (libnvidia-ptxjitcompiler), allow it to compile, or build the "
                                   "library with native code"
                                 : "update the driver";
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, !is_refusal(result),
                    "the driver of \"%s\" does not compile %s: %s gave %s; %s. %s", gpu_->adapter().info.name,
                    function_name(entry), call, gpu_->driver().name_of(result), remedy, log);
  gpu_->check(result, call);
}

CUfunction Functions::load(gpu::EntryPoint entry, CUmodule& module) {
  if (module == nullptr) module = load_module(entry);
  const Driver& driver = gpu_->driver();
  CUfunction function = nullptr;
  require_compiled(driver.ModuleGetFunction(&function, module, function_name(entry)), "cuModuleGetFunction", entry, "");
  if (entry < gpu::EntryPoint::first_program || entry >= gpu::EntryPoint::copy) return function;
  // Programs have as much shared memory as a block may have at most.
  gpu_->check(driver.FuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      static_cast<int>(gpu_->adapter().shared_memory_per_block)),
              "cuFuncSetAttribute");
  return function;
}

}  // namespace clothc::cuda
