// Defines underAddressSanitizer and underThreadSanitizer, with which of them a test is compiled.
#pragma once

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

}  // namespace tapestry::test
