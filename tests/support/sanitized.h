// sanitized.h - which sanitizers the tests were compiled with.
#pragma once

// clang tells by __has_feature, g++ by a macro.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CLOTHC_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define CLOTHC_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define CLOTHC_ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__)
#define CLOTHC_THREAD_SANITIZER 1
#endif

#if defined(CLOTHC_ADDRESS_SANITIZER)
constexpr bool has_address_sanitizer = true;
#else
constexpr bool has_address_sanitizer = false;
#endif
#if defined(CLOTHC_THREAD_SANITIZER)
constexpr bool has_thread_sanitizer = true;
#else
constexpr bool has_thread_sanitizer = false;
#endif

// Whether a sanitizer replaces the memory allocator.
constexpr bool is_sanitized = has_address_sanitizer || has_thread_sanitizer;
