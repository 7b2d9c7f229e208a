// Defines observePasses, which sets an observer for the passes of the whole process.
#pragma once

#include <memory>

#include "tapestry/deeplearning/pass_observer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// From now on every pass that opens calls the observer, except in programs within observed(program, ...);
/// null ends that. Can be called on any thread. Cost: while there is none, reading a flag for each pass.
void observePasses(std::shared_ptr<PassObserver> observer);

}  // namespace tapestry
#pragma GCC visibility pop
