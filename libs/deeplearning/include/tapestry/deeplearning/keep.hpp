// Defines Keep, the data that an operation keeps for its derivative.
#pragma once

#pragma GCC visibility push(default)
namespace tapestry {

/// All other data can be freed as soon as the operation's result has been computed.
enum class Keep { nothing, output, operands, shapes };

}  // namespace tapestry
#pragma GCC visibility pop
