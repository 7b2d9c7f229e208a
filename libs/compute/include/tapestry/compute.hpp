// Includes all of libs/compute: tensors of devices.
#pragma once

#include <tapestry/compute/cuda/cuda_devices.hpp>
#include <tapestry/compute/device.hpp>
#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/compute/extend/device_driver.hpp>
#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/compute/opencl/open_cl_devices.hpp>
#include <tapestry/compute/self_test.hpp>
