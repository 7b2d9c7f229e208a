// Defines underAddressSanitizer and underThreadSanitizer, with which of them a test is compiled, and million
// and throwsOnFiber, which depend on it.
#pragma once

#include <doctest/doctest.h>

namespace tapestry::test {

#if defined(__has_feature)
inline constexpr bool underAddressSanitizer = __has_feature(address_sanitizer);
inline constexpr bool underThreadSanitizer = __has_feature(thread_sanitizer);
#else
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool underAddressSanitizer = true;
#else
inline constexpr bool underAddressSanitizer = false;
#endif
#if defined(__SANITIZE_THREAD__)
inline constexpr bool underThreadSanitizer = true;
#else
inline constexpr bool underThreadSanitizer = false;
#endif
#endif

/// How many steps a test takes that shows that they need no stack: sanitizers are slow, and have enough of
/// it.
inline constexpr int million = underAddressSanitizer || underThreadSanitizer ? 10'000 : 1'000'000;

/// Skips tests that throw on a fiber of Asio: AddressSanitizer does not know the stack of such a fiber, and
/// takes the exception for an error.
inline const auto throwsOnFiber = doctest::skip(underAddressSanitizer);

}  // namespace tapestry::test
