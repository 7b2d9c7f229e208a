// Defines Keep, the data that an operation keeps for its derivative.
#pragma once

namespace tapestry {

/// All else can be freed as soon as the operation's result is there.
enum class Keep { nothing, output, operands, shapes };

}  // namespace tapestry
