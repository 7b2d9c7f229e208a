// Defines DeviceKernels, all kernels of device tensors.
#pragma once

#include <tapestry/compute/kernels/device_convolution.hpp>
#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_formula.hpp>
#include <tapestry/compute/kernels/device_layout.hpp>
#include <tapestry/compute/kernels/device_pooling.hpp>
#include <tapestry/compute/kernels/device_product.hpp>
#include <tapestry/compute/kernels/device_reduction.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The class DeviceTensor<T>::Kernels.
struct DeviceKernels : DeviceElementwise,
                       DeviceFormula,
                       DeviceReduction,
                       DeviceProduct,
                       DeviceConvolution,
                       DevicePooling,
                       DeviceLayout {};

}  // namespace tapestry
#pragma GCC visibility pop
