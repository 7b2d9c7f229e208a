#include <cstdio>
#include <tapestry/deeplearning.hpp>
using namespace tapestry;

int main() {
  DoubleWeight slope(0, sgd(0.05)), offset(0, sgd(0.05));
  auto line = [&](double x) { return slope * x + offset; };
  for (int i = 0; i < 500; ++i)
    for (double x : {0.0, 1.0, 2.0}) {
      DoubleLayer miss = line(x) - (3 * x + 1);
      train(miss * miss).blockingAwait();
    }
  DoubleLayer gated(forward(line(4)).flatMap(  // control flow in a network is plain flatMap
      [&](auto y) { return forward(y.data > 10 ? 2.0 * line(4) : line(0)); }));
  std::printf("%.3f\n", predict(gated).blockingAwait());
}
