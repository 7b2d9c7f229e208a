// Defines depth, to which the promises about the native stack are held, and onSmallStack, which runs
// a function on a thread with a stack of 256 KiB.
#pragma once

#include <pthread.h>

#include <functional>
#include <stdexcept>

#include "support/sanitizers.hpp"

namespace tapestry::test {

/// Sanitizers need more stack than that.
inline constexpr bool hasSmallStacks = !underAddressSanitizer && !underThreadSanitizer;

/// A million, which g++ is held to, also for time and memory that are linear. In 256 KiB not even 20,000
/// frames of 16 bytes have room, so that code by clang needs no more than 100,000 to show that it keeps none.
/// A sanitizer looks for other things.
#if defined(__clang__)
inline constexpr int depth = hasSmallStacks ? 100'000 : 20'000;
#else
inline constexpr int depth = hasSmallStacks ? 1'000'000 : 20'000;
#endif
/// So many suspended blocks of direct style, each with a stack of its own.
inline constexpr int promisedFibers = hasSmallStacks ? 20'000 : 500;

/// Returns when the function has.
inline void onSmallStack(const std::function<void()>& function) {
  constexpr auto call = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  pthread_t thread{};
  const int error = pthread_create(&thread, &attributes, call, const_cast<std::function<void()>*>(&function));
  pthread_attr_destroy(&attributes);
  if (error != 0) throw std::runtime_error("no thread with a small stack");
  pthread_join(thread, nullptr);
}

}  // namespace tapestry::test
