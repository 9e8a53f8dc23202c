// import_handle.h - hands handles of memory and semaphores to drivers. The caller of the library gives a handle away when
// the import succeeds, and keeps it otherwise, whatever the driver does with it.
#pragma once

#include "core/backend/backend.h"

namespace clothc::gpu {

// Returns what import(copy) makes of a duplicate of the handle. Then the handle is closed; if import throws, it stays as
// it is. A duplicate is needed because some drivers close a file descriptor that they refuse.
template <class Import>
auto import_handle(platform::OsHandle handle, Import import) {
  const platform::OsHandle copy = handle.duplicate();
  CLOTHC_REQUIRE(copy.is_set(), "external_handle.handle is %lld, which is no open handle",
                 static_cast<long long>(handle.number()));
  try {
    auto imported = import(copy);
    if (!platform::OsHandle::is_taken_by_drivers) copy.close();
    handle.close();
    return imported;
  } catch (...) {
    if (copy.is_left(handle)) copy.close();
    throw;
  }
}

}  // namespace clothc::gpu
