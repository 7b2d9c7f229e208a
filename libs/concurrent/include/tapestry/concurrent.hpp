// Includes the concurrent library: the points at which runs meet.
#pragma once

#include "tapestry/concurrent/channel.hpp"
#include "tapestry/concurrent/closed.hpp"
#include "tapestry/concurrent/event.hpp"
