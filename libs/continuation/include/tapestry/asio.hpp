// Includes the headers that connect programs with Boost.Asio.
#pragma once

#include "tapestry/continuation/asio/as_continuation.hpp"
#include "tapestry/continuation/asio/asio_clock.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/continuation/asio/async_run.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
