// cuda.cpp - the exported functions of clothc_cuda.h. They find the objects, check the arguments, and call the objects.
#include "clothc_cuda.h"

#include "core/base/structs.h"
#include "core/objects/device.h"
#include "core/solver/solver.h"
#include "core/verify/verify.h"

using namespace clothc;

clothc_result clothc_cuda_device_create(const clothc_device_desc* desc, const clothc_cuda_device_desc* cuda,
                                        clothc_device* device) {
  return guard([&] {
    const clothc_device_desc d = adopt(desc);
    set_message_sink({d.message, d.message_user});
    const clothc_cuda_device_desc c = cuda != nullptr ? adopt(cuda) : make_default<clothc_cuda_device_desc>();
    require_output(device, "device");
    check_device_desc(d);
    CLOTHC_REQUIRE(d.backend == CLOTHC_BACKEND_AUTO || d.backend == CLOTHC_BACKEND_CUDA,
                   "device_desc.backend is %u; want CLOTHC_BACKEND_AUTO or CLOTHC_BACKEND_CUDA", d.backend);
    CLOTHC_REQUIRE(c.reserved == 0, "cuda_device_desc.reserved is %u; want 0", c.reserved);
    clothc_device_desc wanted = d;
    wanted.backend = CLOTHC_BACKEND_CUDA;
    const bool adopts = c.context != nullptr || c.stream != nullptr;
    const auto check = [&](Device& made) { require_known_bits(made, d); };
    publish(device, adopts ? adopt_device(wanted, CLOTHC_BACKEND_CUDA, &c, check) : create_device(wanted, check));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cuda_buffer_get_pointer(clothc_buffer buffer, uint64_t* pointer) {
  return call_on<Buffer>(buffer, [&](const std::shared_ptr<Buffer>& b) {
    require_output(pointer, "pointer");
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, b->device()->info().backend == CLOTHC_BACKEND_CUDA,
                      "the buffer belongs to \"%s\", which is no CUDA device", b->device()->info().name);
    *pointer = b->device_address();
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_cuda_capture_update(clothc_solver solver, void* stream, float dt) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) {
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, s->device()->info().backend == CLOTHC_BACKEND_CUDA, "%s", no_graphs);
    CLOTHC_REQUIRE(stream != nullptr, "stream is null; want a CUstream in which cuStreamBeginCapture was called");
    CLOTHC_REQUIRE(is_time_step(dt), "dt is %g; want 0, or 1e-6 to 10 s", static_cast<double>(dt));
    s->capture_update(dt, stream);
    return CLOTHC_SUCCESS;
  });
}
