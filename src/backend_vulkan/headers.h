// headers.h - Vulkan's own headers, without prototypes, since all functions are loaded at run time, and on Windows with the
// extensions for its handles. The types that these need are declared as windows.h does, which would define thousands of
// macros.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#if defined(_WIN32) && !defined(VK_USE_PLATFORM_WIN32_KHR)
using HANDLE = void*;
using DWORD = unsigned long;
using LPCWSTR = const wchar_t*;
using HINSTANCE = struct HINSTANCE__*;
using HWND = struct HWND__*;
using HMONITOR = struct HMONITOR__*;
using SECURITY_ATTRIBUTES = struct _SECURITY_ATTRIBUTES;
#include <vulkan/vulkan_win32.h>
#endif
