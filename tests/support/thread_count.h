// thread_count.h - how many threads this process has.
#pragma once

#if defined(_WIN32)
#include <windows.h>

#include <tlhelp32.h>
#else
#include <dirent.h>
#endif

namespace clothc_test {

// Returns 0 where the system does not tell.
#if defined(_WIN32)
inline int thread_count() {
  const HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
  THREADENTRY32 entry{};
  entry.dwSize = sizeof(entry);
  int count = 0;
  for (BOOL more = Thread32First(snapshot, &entry); more != FALSE; more = Thread32Next(snapshot, &entry))
    count += entry.th32OwnerProcessID == GetCurrentProcessId() ? 1 : 0;
  CloseHandle(snapshot);
  return count;
}
#else
inline int thread_count() {
  DIR* directory = opendir("/proc/self/task");
  if (directory == nullptr) return 0;
  int count = 0;
  while (const dirent* entry = readdir(directory)) count += entry->d_name[0] != '.' ? 1 : 0;
  closedir(directory);
  return count;
}
#endif

}  // namespace clothc_test
