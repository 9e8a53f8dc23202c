// user_objects.cpp - resources of the program that graphs own. The program's destructor is called when no graph, no
// executable graph and no launch that has not ended owns the object any more; it may not call the driver.
#include <climits>

#include "cuda/device/driver/calls.h"

namespace clothc::cuda_device {
namespace {

// Takes references away from the program.
std::shared_ptr<UserObject> take(const Call& call, CUuserObject handle, unsigned count) {
  const std::shared_ptr<UserReferences> references = find_any(call, state().user_objects, handle, "user object");
  require(count >= 1 && count <= references->count, CUDA_ERROR_INVALID_VALUE);
  references->count -= count;
  if (references->count == 0) state().user_objects.remove(handle);
  return references->object;
}

}  // namespace

UserObject::~UserObject() {
  const bool was_in_host_function = is_in_host_function();
  is_in_host_function() = true;
  {
    const OutsideDevice outside;
    destroy_(argument_);
  }
  is_in_host_function() = was_in_host_function;
}

}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuUserObjectCreate(CUuserObject* handle, void* argument, CUhostFn destroy, unsigned references,
                            unsigned flags) {
  return perform(Function::UserObjectCreate, Needs::driver, [&](Call&) {
    require(handle != nullptr && destroy != nullptr, CUDA_ERROR_INVALID_VALUE);
    require(references >= 1 && references <= INT_MAX, CUDA_ERROR_INVALID_VALUE);
    require(flags == CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<UserReferences> fresh = std::make_shared<UserReferences>();
    fresh->object = std::make_shared<UserObject>(destroy, argument);
    fresh->count = references;
    *handle = state().user_objects.add(fresh);
  });
}

CUresult cuUserObjectRelease(CUuserObject handle, unsigned count) {
  return perform(Function::UserObjectRelease, Needs::driver, [&](Call& call) { take(call, handle, count); });
}

CUresult cuGraphRetainUserObject(CUgraph graph_handle, CUuserObject handle, unsigned count, unsigned flags) {
  return perform(Function::GraphRetainUserObject, Needs::driver, [&](Call& call) {
    require(flags == 0 || flags == CU_GRAPH_USER_OBJECT_MOVE, CUDA_ERROR_INVALID_VALUE);
    require(count >= 1 && count <= INT_MAX, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<Graph> graph = find_any(call, state().graphs, graph_handle, "graph");
    const std::shared_ptr<UserObject> object =
        flags == CU_GRAPH_USER_OBJECT_MOVE ? take(call, handle, count)
                                           : find_any(call, state().user_objects, handle, "user object")->object;
    graph->user_objects.push_back(object);
  });
}
