// Includes the concurrent library: the points at which runs meet, and programs that run beside a scope.
#pragma once

#include "tapestry/concurrent/background.hpp"
#include "tapestry/concurrent/barrier.hpp"
#include "tapestry/concurrent/batched.hpp"
#include "tapestry/concurrent/broadcast.hpp"
#include "tapestry/concurrent/channel.hpp"
#include "tapestry/concurrent/closed.hpp"
#include "tapestry/concurrent/deferred.hpp"
#include "tapestry/concurrent/dispatcher.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/latch.hpp"
#include "tapestry/concurrent/mutex.hpp"
#include "tapestry/concurrent/rate_limiter.hpp"
#include "tapestry/concurrent/read_write_lock.hpp"
#include "tapestry/concurrent/ref.hpp"
#include "tapestry/concurrent/supervisor.hpp"
#include "tapestry/concurrent/task.hpp"
