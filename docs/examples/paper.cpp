// The gated network of the paper's Listings, on numbers.
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/deeplearning.hpp>

#include <cmath>
#include <cstdio>
#include <utility>

using namespace tapestry;

struct Line {
  DoubleWeight slope, offset{0, sgd(0.05)};
  explicit Line(double start) : slope(start, sgd(0.05)) {}
  DoubleLayer operator()(double x) const { return slope * x + offset; }
};

struct GatedNet {
  Line leftGate{1}, rightGate{-1}, leftSubnet{0}, rightSubnet{0};

  std::pair<DoubleLayer, DoubleLayer> gate(double x) const {
    return {sigmoid(leftGate(x)), sigmoid(rightGate(x))};
  }

  DoubleLayer choose(double x, const std::pair<DoubleLayer, DoubleLayer>& scores, bool left) const {
    return left ? scores.first * leftSubnet(x) : scores.second * rightSubnet(x);
  }

  DoubleLayer monadicGatedNet(double x) const {
    const auto scores = gate(x);
    return DoubleLayer(forward(scores.first).flatMap([this, x, scores](const auto& left) {
      return forward(scores.second).flatMap([this, x, scores, left](const auto& right) {
        return forward(choose(x, scores, left.data > right.data));
      });
    }));
  }

  DoubleLayer applicativeMonadicGatedNet(double x) const {
    const auto scores = gate(x);
    return DoubleLayer(tuple2(parallel(forward(scores.first)), parallel(forward(scores.second)))
                           .flatMap([this, x, scores](const auto& tapes) {
                             const auto& [left, right] = tapes;
                             return forward(choose(x, scores, left.data > right.data));
                           }));
  }
};

int main() {
  const GatedNet net;
  ThreadPool pool(2);
  for (int epoch = 0; epoch < 500; ++epoch)
    for (double x = -2; x <= 2; x += 0.5) {
      const DoubleLayer miss = net.applicativeMonadicGatedNet(x) - std::abs(x);
      train(miss * miss).blockingAwait(pool);
    }
  for (double x : {-1.5, 1.5})
    std::printf("|%g| is about %.1f\n", x, predict(net.monadicGatedNet(x)).blockingAwait());
}
