// Defines TAPESTRY_LIFETIME_BOUND.
#pragma once

/// Marks a member function whose result refers to the object. clang warns if the object is a temporary that
/// the result outlives, such as in `for (float x : predict(layer).blockingAwait().values())`, where C++20
/// destroys the tensor before the loop begins. Other compilers do not warn.
#if __has_cpp_attribute(clang::lifetimebound)
#define TAPESTRY_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define TAPESTRY_LIFETIME_BOUND
#endif
