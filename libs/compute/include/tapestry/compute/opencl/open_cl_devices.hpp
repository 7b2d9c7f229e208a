// Defines openClDevices and openOpenCl, the back end of OpenCL and CLBlast.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <tapestry/compute/extend/device_driver.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The devices of all platforms, GPUs first, without devices whose properties cannot be read. None if no
/// platform is installed.
std::vector<extend::DeviceProperties> openClDevices();

/// Opens a device by its index in openClDevices. Throws DeviceError.
std::unique_ptr<extend::DeviceDriver> openOpenCl(std::size_t index);

}  // namespace tapestry
#pragma GCC visibility pop
