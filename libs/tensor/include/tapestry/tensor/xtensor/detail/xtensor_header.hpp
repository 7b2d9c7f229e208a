// Defines where xtensor's headers of arrays, functions and views are: since 0.26 they are in folders.
#pragma once

#include <exception>  // xtl calls std::terminate without including it

#if __has_include(<xtensor/containers/xadapt.hpp>)
#define TAPESTRY_XTENSOR_CONTAINERS(file) <xtensor/containers/file>
#define TAPESTRY_XTENSOR_CORE(file) <xtensor/core/file>
#define TAPESTRY_XTENSOR_VIEWS(file) <xtensor/views/file>
#else
#define TAPESTRY_XTENSOR_CONTAINERS(file) <xtensor/file>
#define TAPESTRY_XTENSOR_CORE(file) <xtensor/file>
#define TAPESTRY_XTENSOR_VIEWS(file) <xtensor/file>
#endif
