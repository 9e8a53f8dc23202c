// external.cpp - checks the handles that programs give to the library.
#include "core/base/external.h"

#include "core/base/result.h"

namespace clothc {

platform::OsHandle checked_handle(const clothc_external_handle& external, bool is_taken) {
  CLOTHC_REQUIRE(external.type == CLOTHC_EXTERNAL_OPAQUE_FD || external.type == CLOTHC_EXTERNAL_OPAQUE_WIN32,
                 "external_handle.type is %u; want %s", external.type, native_external_name);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, external.type == native_external_type,
                    "external_handle.type is %s, a handle that this operating system does not have; want %s",
                    external.type == CLOTHC_EXTERNAL_OPAQUE_FD ? "CLOTHC_EXTERNAL_OPAQUE_FD, a file descriptor"
                                                               : "CLOTHC_EXTERNAL_OPAQUE_WIN32, an NT handle",
                    native_external_name);
  const platform::OsHandle handle(external.handle);
  CLOTHC_REQUIRE(handle.is_set(), "external_handle.handle is %lld; want a handle of the type %s",
                 static_cast<long long>(external.handle), native_external_name);
  const char* const other = is_taken ? handle.kind_that_is_never_shared() : nullptr;
  CLOTHC_REQUIRE(other == nullptr,
                 "external_handle.handle is %lld, which is %s; want what a device or another API has exported, as "
                 "clothc_buffer_export and clothc_fence_export do",
                 static_cast<long long>(external.handle), other);
  return handle;
}

}  // namespace clothc
