// Defines throwsOnFiber, by which tests are skipped that throw on a fiber of Asio where that is not checked.
#pragma once

#include <doctest/doctest.h>

#include "support/sanitizers.hpp"

namespace tapestry::test {

/// AddressSanitizer does not know the stacks of Asio's fibers, and takes an exception there for an error.
inline const auto throwsOnFiber = doctest::skip(underAddressSanitizer);

}  // namespace tapestry::test
