// Includes what joins programs and Boost.Asio.
#pragma once

#include "tapestry/continuation/as_continuation.hpp"
#include "tapestry/continuation/asio_executor.hpp"
#include "tapestry/continuation/async_run.hpp"
#include "tapestry/continuation/thread_pool.hpp"
