// Defines beginConsuming and endConsuming, by which a source that exists once has one consumer at a time.
#pragma once

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The source at this address has a consumer from now on. False if it has one already.
[[nodiscard]] bool beginConsuming(const void* source);
/// The source at this address has no consumer from now on.
void endConsuming(const void* source) noexcept;

}  // namespace tapestry::detail
#pragma GCC visibility pop
