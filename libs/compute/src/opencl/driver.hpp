// Declares makeOpenClDriver, which makes a device of OpenCL.
#pragma once

#include <memory>
#include <string>

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <tapestry/compute/extend/device_driver.hpp>

namespace tapestry::detail {

/// A device of OpenCL; `name` names it in errors. Throws DeviceError.
std::unique_ptr<extend::DeviceDriver> makeOpenClDriver(std::string name, const cl::Device& device,
                                                       extend::DeviceProperties properties);

}  // namespace tapestry::detail
