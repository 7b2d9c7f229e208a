// Registers two sets of points: finds the motion of the plane that takes one to the other, by training a
// weight that is a motion.
#include <tapestry/deeplearning.hpp>

#include <complex>
#include <cstdio>
#include <numbers>

#include "register_points/rigid_motion.hpp"
#include "support/options.hpp"
#include "support/progress.hpp"

using namespace tapestry;
using namespace tapestry::examples;

namespace {

double degrees(const RigidMotion& motion) { return std::arg(motion.rotation) * 180 / std::numbers::pi; }

void registerPoints() {
  const RigidMotion hidden{std::polar(1.0, 2.0), {3, -1}};
  const RigidMotion camera{std::polar(1.0, -0.5), {0, 2}};
  const Tensor<double> points({4, 2}, {0, 0, 2, 0, 2, 1, -1, 3});
  const Tensor<double> seen = move(compose(camera, hidden), points);

  constexpr std::size_t steps = 200;
  Progress progress({1, steps, "steps"});

  // The camera is known, the motion is not.
  const Weight<RigidMotion> motion(RigidMotion(), MotionDescent{0.1});
  const auto error = move(compose(camera, motion), points) - seen;
  const auto loss = mean(error * error);
  std::printf("before training, the mean squared error is %.3f\n", predict(loss).blockingAwait());
  progress.startEpoch();
  for (std::size_t i = 0; i < steps; ++i) progress.advance(1, train(loss).blockingAwait());
  progress.finishEpoch();
  const RigidMotion found = motion.data();
  std::printf("after training, it is %.3f\n", predict(loss).blockingAwait());
  std::printf("turned by %.1f degrees, of %.1f; shifted by (%.2f, %.2f), of (%.2f, %.2f)\n", degrees(found),
              degrees(hidden), found.shift.real(), found.shift.imag(), hidden.shift.real(),
              hidden.shift.imag());

  // The composition of a motion and its inverse is the identity.
  const RigidMotion nothing = predict(compose(inverse(motion), hidden)).blockingAwait();
  std::printf("the remaining rotation is %.1f degrees\n", std::abs(degrees(nothing)));
}

}  // namespace

int main(int argc, char** argv) {
  Options options("register_points", "Finds the motion of the plane that takes some points to others.");
  options.unused("--threads", "each step waits for the one before it, and is too small to share")
      .unused("--seed", "nothing is drawn");
  options.traced(tracePasses);
  return options.run(argc, argv, registerPoints);
}
