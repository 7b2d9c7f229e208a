// Defines scaleChannels and shiftChannels, operations on the channels of a batch [N, C, ...].
#pragma once

#include <cstddef>
#include <string_view>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

struct Channels {
  Axes others;         ///< all axes but the channel axis
  Shape broadcast;     ///< [C, 1, ...], for values per channel
  std::size_t values;  ///< their number in each channel
};

/// Throws ShapeError unless x is [N, C, ...] and perChannel, the `role` in the operation, is [C].
Channels channelsOf(std::string_view name, const Shape& x, const Shape& perChannel, std::string_view role);

template <bool scales>
struct PerChannelShapes {
  static Shape of(std::string_view name, const Shape& x, const Shape& perChannel) {
    channelsOf(name, x, perChannel, scales ? "gain" : "bias");
    return x;
  }
  static extend::Attributes attributes() { return {{"part", std::string(scales ? "scale" : "shift")}}; }
};

/// z = x * gain of each channel; dx = delta * gain, dgain = the sum of delta * x over all but the channels.
template <OperationName name>
inline constexpr auto scaleChannels = binaryOperation<name, Keep::operands, PerChannelShapes<true>>(
    [](const auto& x, const auto& gain) {
      const auto channels = channelsOf(name.view(), x.shape(), gain.shape(), "gain");
      return kernels::multiply(x, gain.reshape(channels.broadcast));
    },
    [](const auto& delta, const auto& x, const auto& gain) {
      const auto channels = channelsOf(name.view(), x.shape(), gain.shape(), "gain");
      return kernels::multiply(delta, gain.reshape(channels.broadcast));
    },
    [](const auto& delta, const auto& x, const auto& gain) {
      const auto channels = channelsOf(name.view(), x.shape(), gain.shape(), "gain");
      return kernels::sum(kernels::multiply(delta, x), channels.others, false);
    });

/// z = x + bias of each channel; dx = delta, dbias = the sum of delta over all but the channels.
template <OperationName name>
inline constexpr auto shiftChannels = binaryOperation<name, Keep::shapes, PerChannelShapes<false>>(
    [](const auto& x, const auto& bias) {
      const auto channels = channelsOf(name.view(), x.shape(), bias.shape(), "bias");
      return kernels::add(x, bias.reshape(channels.broadcast));
    },
    [](const auto& delta, const Shape&, const Shape&) { return delta; },
    [](const auto& delta, const Shape& x, const Shape& bias) {
      return kernels::sum(delta, channelsOf(name.view(), x, bias, "bias").others, false);
    });

}  // namespace tapestry::detail
#pragma GCC visibility pop
