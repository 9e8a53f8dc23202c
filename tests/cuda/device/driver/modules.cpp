// modules.cpp - modules of PTX, or of native code of such, and the functions in them.
#include <cctype>
#include <cstdio>
#include <cstring>

#include "cuda/device/driver/capture.h"
#include "cuda/device/driver/native_images.h"
#include "cuda/device/driver/scheduler.h"

namespace clothc::cuda_device {
namespace {

// The newest version of PTX that a driver knows, for drivers whose minor version does not give it.
struct KnownVersion {
  int driver;
  uint32_t ptx;
};
constexpr KnownVersion known_versions[] = {{13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12060, 85},
                                           {12050, 85}, {12040, 84}, {12030, 83}, {12020, 82}, {12010, 81},
                                           {12000, 80}, {11080, 78}, {11000, 70}, {10020, 65}, {10000, 63}};

// Ten times the major version plus the minor version.
uint32_t newest_version(int driver) {
  for (const KnownVersion& known : known_versions) {
    const bool has_same_major = known.driver / 1000 == driver / 1000;
    if (driver < known.driver) continue;
    return known.ptx + (has_same_major && known.driver % 1000 == 0 ? static_cast<uint32_t>(driver % 1000 / 10) : 0);
  }
  return 60;
}

// Returns the two numbers, joined by a dot, of `.version`, as ten times the first plus the second, or 0.
uint32_t find_version(const std::string& text) {
  const size_t found = text.find(".version");
  unsigned major = 0;
  unsigned minor = 0;
  if (found == std::string::npos || std::sscanf(text.c_str() + found, ".version %u.%u", &major, &minor) != 2) return 0;
  return major * 10 + minor;
}

// Returns the number of `.target sm_75`, or 0.
uint32_t find_target(const std::string& text) {
  const size_t found = text.find(".target");
  unsigned target = 0;
  if (found == std::string::npos || std::sscanf(text.c_str() + found, ".target sm_%u", &target) != 1) return 0;
  return target;
}

// Returns whether the first bytes are those of an archive of images, which this device does not open.
bool is_archive(const void* image) {
  const auto* bytes = static_cast<const unsigned char*>(image);
  return bytes[0] == 0x50 && bytes[1] == 0xed;
}

// Where messages about errors go.
struct Log {
  char* buffer = nullptr;
  size_t size = 0;
  void** written = nullptr;

  void write(const std::string& message) const {
    if (!buffer || size == 0) return;
    const size_t length = std::min(message.size(), size - 1);
    std::memcpy(buffer, message.data(), length);
    buffer[length] = '\0';
    if (written) *written = reinterpret_cast<void*>(length + 1);
  }
};

Log read_options(unsigned count, const CUjit_option* options, void** values) {
  require(count == 0 || (options && values), CUDA_ERROR_INVALID_VALUE);
  constexpr int last_option = 35;
  Log log;
  for (unsigned k = 0; k < count; ++k) {
    require(options[k] >= 0 && options[k] < last_option, CUDA_ERROR_INVALID_VALUE);
    if (options[k] == CU_JIT_ERROR_LOG_BUFFER) log.buffer = static_cast<char*>(values[k]);
    if (options[k] != CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) continue;
    log.size = reinterpret_cast<size_t>(values[k]) & UINT32_MAX;
    log.written = &values[k];
  }
  require(!log.buffer || log.size > 0, CUDA_ERROR_INVALID_VALUE);
  if (log.written) *log.written = nullptr;
  return log;
}

// Programs load the same text for each of their devices, so modules that were parsed are kept.
std::shared_ptr<const ptx::Module> parse(const std::string& text) {
  static auto* const parsed = new std::map<std::string, std::shared_ptr<const ptx::Module>>;
  constexpr size_t max_kept = 64;
  if (const auto found = parsed->find(text); found != parsed->end()) return found->second;
  if (parsed->size() >= max_kept) parsed->clear();
  return (*parsed)[text] = std::make_shared<const ptx::Module>(text);
}

// Returns the kernel of that name, or null. Bodies of kernels are parsed here, as by a driver that loads lazily.
const ptx::Kernel* find_kernel(const Call& call, const Module& module, const char* name) {
  try {
    return module.code->find(name);
  } catch (const ptx::ParseError& error) {
    throw call.misuse(CUDA_ERROR_INVALID_PTX, error.what());
  }
}

void require_loadable(const std::string& text, CUdevice device) {
  const uint32_t version = find_version(text);
  if (version == 0) throw Failure(CUDA_ERROR_INVALID_PTX, "the text has no .version");
  if (version > newest_version(state().rules.driver_version)) {
    throw Failure(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the driver is older than .version");
  }
  const int capability = attribute_of(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
                         attribute_of(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  if (find_target(text) > static_cast<uint32_t>(capability)) {
    throw Failure(CUDA_ERROR_NO_BINARY_FOR_GPU, "the device is older than .target");
  }
}

std::shared_ptr<const ptx::Module> load(const void* image, CUdevice device, const Log& log) {
  try {
    if (is_archive(image)) throw Failure(CUDA_ERROR_NO_BINARY_FOR_GPU, "the image is an archive");
    const std::string text =
        is_elf(image) ? text_of_native_image(image, device) : std::string(static_cast<const char*>(image));
    require_loadable(text, device);
    return parse(with_faults(text, state().rules.planted));
  } catch (const Failure& failure) {
    log.write(failure.what());
    throw;
  } catch (const ptx::ParseError& error) {
    log.write(error.what());
    throw Failure(CUDA_ERROR_INVALID_PTX, error.what());
  }
}

}  // namespace
}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuModuleLoadDataEx(CUmodule* handle, const void* image, unsigned option_count, CUjit_option* options,
                            void** values) {
  return perform(Function::ModuleLoadDataEx, Needs::working_context, [&](Call& call) {
    require_no_capture(call);
    require(handle != nullptr && image != nullptr, CUDA_ERROR_INVALID_VALUE);
    const Log log = read_options(option_count, options, values);
    const std::shared_ptr<Module> module = std::make_shared<Module>();
    module->context = call.context;
    module->code = load(image, call.context->device, log);
    *handle = state().modules.add(module);
  });
}

CUresult cuModuleUnload(CUmodule handle) {
  return perform(Function::ModuleUnload, Needs::context, [&](Call& call) {
    require_no_capture(call);
    const std::shared_ptr<Module> module = find_here(call, state().modules, handle, "module");
    for (const auto& [name, function] : module->functions) state().functions.remove(function);
    module->is_loaded = false;
    state().modules.remove(handle);
  });
}

CUresult cuModuleGetFunction(CUfunction* handle, CUmodule module_handle, const char* name) {
  return perform(Function::ModuleGetFunction, Needs::working_context, [&](Call& call) {
    require(handle != nullptr && name != nullptr, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<Module> module = find_here(call, state().modules, module_handle, "module");
    const ptx::Kernel* kernel = find_kernel(call, *module, name);
    require(kernel != nullptr, CUDA_ERROR_NOT_FOUND);
    CUfunction& function = module->functions[name];
    if (!function) {
      const int limit = attribute_of(call.context->device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
      const int max_dynamic = std::max(0, limit - static_cast<int>(kernel->info.static_shared_size));
      function = state().functions.add(std::make_shared<FunctionObject>(FunctionObject{module, kernel, max_dynamic}));
    }
    *handle = function;
  });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
  return perform(Function::FuncGetAttribute, Needs::working_context, [&](Call& call) {
    require(value != nullptr, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<FunctionObject> function = find_any(call, state().functions, handle, "function");
    const ptx::KernelInfo& info = function->kernel->info;
    constexpr int registers = 32;
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = static_cast<int>(info.max_threads);
        return;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = static_cast<int>(info.static_shared_size);
        return;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = static_cast<int>(info.local_size);
        return;
      case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = registers;
        return;
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = function->max_dynamic_shared_size;
        return;
    }
    throw Failure(CUDA_ERROR_INVALID_VALUE);
  });
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  return perform(Function::FuncSetAttribute, Needs::working_context, [&](Call& call) {
    const std::shared_ptr<FunctionObject> function = find_any(call, state().functions, handle, "function");
    require(attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CUDA_ERROR_INVALID_VALUE);
    const int limit = attribute_of(call.context->device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
                      static_cast<int>(function->kernel->info.static_shared_size);
    require(value >= 0 && value <= limit, CUDA_ERROR_INVALID_VALUE);
    function->max_dynamic_shared_size = value;
  });
}
