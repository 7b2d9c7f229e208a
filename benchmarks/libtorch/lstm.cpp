#include "libtorch/sides.hpp"

#include "libtorch/tensors.hpp"

namespace tapestry::benchmarks::libtorch {

Side lstm(const LstmWork& work, unsigned threads) {
  ::torch::nn::LSTM model(LstmWork::units, LstmWork::units);
  // it has two biases, which are added
  setParameters(*model, std::vector{work.input, work.recurrent, work.bias,
                                    Tensor<float>::zeros({4 * LstmWork::units})});
  return {.reset = [] {},
          .run =
              [model, threads, xs = view(work.xs)]() mutable {
                const Threads scope(threads);
                double result = 0;
                for (int i = 0; i < LstmWork::passes; ++i) {
                  forgetGradients(*model);
                  const auto hidden = std::get<0>(model(xs));
                  const auto loss = hidden[-1].sum();
                  loss.backward();
                  const auto& recurrent = model->named_parameters()["weight_hh_l0"];
                  result = (loss.detach() + recurrent.grad().sum()).item<double>();
                }
                return result;
              }};
}

}  // namespace tapestry::benchmarks::libtorch
