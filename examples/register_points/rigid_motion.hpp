// Defines RigidMotion, a rotation and a shift of the plane, as a user-defined differentiable type.
#pragma once

#include <tapestry/deeplearning.hpp>

#include <complex>
#include <string_view>

namespace tapestry::examples {

/// Moves a point z to rotation * z + shift, as dual quaternions do in space. The rotation is of length 1.
struct RigidMotion {
  std::complex<double> rotation{1};
  std::complex<double> shift{0};
};

/// What flows back to a motion has three numbers, not four: a motion cannot leave the circle of rotations.
struct RigidMotionDelta {
  double angle = 0;
  std::complex<double> shift{0};

  RigidMotionDelta& operator+=(const RigidMotionDelta& other) {
    angle += other.angle;
    shift += other.shift;
    return *this;
  }
};

/// Gradient descent on the motions themselves: a step turns by an angle, so the length of the rotation stays.
struct MotionDescent {
  double learningRate;

  template <class V>
  struct State {};

  RigidMotion step(const RigidMotion& motion, const RigidMotionDelta& gradient, State<RigidMotion>&) const {
    const auto turned = motion.rotation * std::polar(1.0, -learningRate * gradient.angle);
    return {turned / std::abs(turned), motion.shift - learningRate * gradient.shift};
  }
};

}  // namespace tapestry::examples

template <>
struct tapestry::DeltaTraits<tapestry::examples::RigidMotion> {
  using Type = tapestry::examples::RigidMotionDelta;
};

/// A motion is a literal; weights and layers of motions need nothing of their own.
template <>
struct tapestry::DeepLearning<tapestry::examples::RigidMotion> {
  using Data = tapestry::examples::RigidMotion;
  using Delta = DeltaOf<Data>;
  static Do<Tape<Data, Delta>> forward(const Data& motion) { return tapestry::forward(Layer<Data>(motion)); }
};

namespace tapestry::examples {

/// The scalar product of two vectors of the plane.
inline double dot(std::complex<double> a, std::complex<double> b) { return (std::conj(a) * b).real(); }

/// y = the motion that undoes x.
inline constexpr auto inverse = unaryOperation<"inverse", Keep::output>(
    [](const RigidMotion& x) {
      return RigidMotion{std::conj(x.rotation), -std::conj(x.rotation) * x.shift};
    },
    [](const RigidMotionDelta& delta, const RigidMotion& y) {
      const std::complex<double> i(0, 1);
      return RigidMotionDelta{dot(delta.shift, -i * y.shift) - delta.angle,
                              -std::conj(y.rotation) * delta.shift};
    });

/// z = x after y.
inline constexpr auto compose = binaryOperation<"compose", Keep::operands>(
    [](const RigidMotion& x, const RigidMotion& y) {
      return RigidMotion{x.rotation * y.rotation, x.rotation * y.shift + x.shift};
    },
    [](const RigidMotionDelta& delta, const RigidMotion& x, const RigidMotion& y) {
      const std::complex<double> i(0, 1);
      return RigidMotionDelta{delta.angle + dot(delta.shift, i * x.rotation * y.shift), delta.shift};
    },
    [](const RigidMotionDelta& delta, const RigidMotion& x, const RigidMotion&) {
      return RigidMotionDelta{delta.angle, std::conj(x.rotation) * delta.shift};
    });

/// The points of a tensor [n, 2], each of them moved by f(point).
template <class F>
Tensor<double> mapPoints(const Tensor<double>& points, const F& f) {
  if (points.rank() != 2 || points.shape()[1] != 2)
    throw ShapeError("move", "these are no points", toString(points.shape()), "[n, 2]");
  Tensor<double> moved = points;
  double* const out = moved.exclusiveData();
  for (std::size_t i = 0; i < moved.size(); i += 2) {
    const std::complex<double> point = f(std::complex(out[i], out[i + 1]));
    out[i] = point.real();
    out[i + 1] = point.imag();
  }
  return moved;
}

struct PointShapes {
  static Shape of(std::string_view, const Shape&, const Shape& points) { return points; }
};

/// z = the points y, [n, 2], each moved by x.
inline constexpr auto move = binaryOperation<"move", Keep::operands, PointShapes>(
    [](const RigidMotion& x, const Tensor<double>& y) {
      return mapPoints(y, [&](std::complex<double> point) { return x.rotation * point + x.shift; });
    },
    [](const Tensor<double>& delta, const RigidMotion& x, const Tensor<double>& y) {
      const std::complex<double> i(0, 1);
      RigidMotionDelta sum;
      for (std::size_t k = 0; k < y.size(); k += 2) {
        const std::complex<double> point(y.data()[k], y.data()[k + 1]);
        const std::complex<double> own(delta.data()[k], delta.data()[k + 1]);
        sum += {dot(own, i * x.rotation * point), own};
      }
      return sum;
    },
    [](const Tensor<double>& delta, const RigidMotion& x, const Tensor<double>&) {
      return mapPoints(delta, [&](std::complex<double> own) { return std::conj(x.rotation) * own; });
    });

}  // namespace tapestry::examples
