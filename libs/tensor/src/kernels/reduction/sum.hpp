// Defines sumOf, the sum of an array, and Summation, its sum over some of its axes.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>

#include <tapestry/tensor/shape.hpp>

namespace tapestry::kernels {

/// The sum of n values, pairwise.
template <class T>
T sumOf(const T* x, std::size_t n) noexcept;

/// Neighbouring axes that are all summed, or all kept, are merged; so summed and kept axes alternate.
template <class T>
class Summation {
 public:
  Summation(const Shape& shape, const std::bitset<Shape::maxRank>& summed) noexcept;

  /// Writes the result, in the order of the kept axes; neither x nor the result is empty.
  void run(const T* x, T* out) const { runFrom(0, x, out); }

 private:
  struct Axis {
    std::size_t extent = 1;
    bool summed = false;
    std::size_t stride = 1;  // between the axis's steps in x
    std::size_t room = 1;    // elements of the result of one step
  };

  void runFrom(std::size_t axis, const T* x, T* out) const;

  // For a summed axis that other axes follow: pairwise for many steps, one step after the other for few.
  void fold(std::size_t axis, const T* x, std::size_t steps, T* out) const;
  void addStep(std::size_t axis, const T* x, T* out) const;

  std::array<Axis, Shape::maxRank> axes_{};  // outermost first
  std::size_t count_ = 0;
};

}  // namespace tapestry::kernels
