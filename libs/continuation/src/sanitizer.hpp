// Defines functions that notify the sanitizers of stack switches; they do nothing in other builds. Also says
// whether the build has AddressSanitizer.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define TAPESTRY_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TAPESTRY_ASAN
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TAPESTRY_TSAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TAPESTRY_TSAN
#endif
#endif

#ifdef TAPESTRY_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef TAPESTRY_TSAN
#include <sanitizer/tsan_interface.h>
#endif

/// For functions that jump and all functions between them and the switch: the sanitizers' actions at the ends
/// of these functions would affect the other stack.
#if defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#define TAPESTRY_UNSANITIZED __attribute__((disable_sanitizer_instrumentation))
#endif
#endif
#ifndef TAPESTRY_UNSANITIZED
#define TAPESTRY_UNSANITIZED __attribute__((no_sanitize("address", "thread")))
#endif

namespace tapestry::detail {

#ifdef TAPESTRY_ASAN
inline constexpr bool isAsan = true;
inline constexpr std::size_t stackFactor = 4;  ///< frames are larger

/// Called before a jump. A null `fakeStack` says that the current stack will not be entered again.
TAPESTRY_UNSANITIZED inline void asanLeave(void** fakeStack, const void* bottom, std::size_t bytes) noexcept {
  __sanitizer_start_switch_fiber(fakeStack, bottom, bytes);
}
/// Called after a jump with the fake stack that was saved when this stack was left; stores the bounds of the
/// stack that was left now.
TAPESTRY_UNSANITIZED inline void asanArrive(void* fakeStack, const void** bottom,
                                            std::size_t* bytes) noexcept {
  __sanitizer_finish_switch_fiber(fakeStack, bottom, bytes);
}
TAPESTRY_UNSANITIZED inline void asanForget(const void* bottom, std::size_t bytes) noexcept {
  __asan_unpoison_memory_region(bottom, bytes);
}
#else
inline constexpr bool isAsan = false;
#ifdef TAPESTRY_TSAN
inline constexpr std::size_t stackFactor = 4;
#else
inline constexpr std::size_t stackFactor = 1;
#endif
TAPESTRY_UNSANITIZED inline void asanLeave(void**, const void*, std::size_t) noexcept {}
TAPESTRY_UNSANITIZED inline void asanArrive(void*, const void**, std::size_t*) noexcept {}
TAPESTRY_UNSANITIZED inline void asanForget(const void*, std::size_t) noexcept {}
#endif

#ifdef TAPESTRY_TSAN
TAPESTRY_UNSANITIZED inline void* tsanCreate() noexcept { return __tsan_create_fiber(0); }
TAPESTRY_UNSANITIZED inline void tsanDestroy(void* fiber) noexcept { __tsan_destroy_fiber(fiber); }
TAPESTRY_UNSANITIZED inline void* tsanCurrent() noexcept { return __tsan_get_current_fiber(); }
/// Called immediately before a jump.
TAPESTRY_UNSANITIZED inline void tsanSwitch(void* fiber) noexcept { __tsan_switch_to_fiber(fiber, 0); }
#else
TAPESTRY_UNSANITIZED inline void* tsanCreate() noexcept { return nullptr; }
TAPESTRY_UNSANITIZED inline void tsanDestroy(void*) noexcept {}
TAPESTRY_UNSANITIZED inline void* tsanCurrent() noexcept { return nullptr; }
TAPESTRY_UNSANITIZED inline void tsanSwitch(void*) noexcept {}
#endif

}  // namespace tapestry::detail
