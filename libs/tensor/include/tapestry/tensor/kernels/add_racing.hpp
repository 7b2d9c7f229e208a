// Defines addRacing, the one function in which the threads of a `hogwild` weight race.
#pragma once

#include <cstddef>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// Adds difference[i] to target[i] while other threads may read and add: an addition may be lost, but an
/// element is never torn. Niu, Recht, Ré and Wright, "Hogwild!" (2011).
template <class T>
void addRacing(T* target, const T* difference, std::size_t n) noexcept;

}  // namespace tapestry::kernels
#pragma GCC visibility pop
