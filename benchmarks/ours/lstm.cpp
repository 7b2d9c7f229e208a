#include "ours/sides.hpp"

#include <tapestry/deeplearning.hpp>

#include <memory>
#include <span>

#include "support/workers.hpp"

namespace tapestry::benchmarks {

Side oursOnLstm(const LstmWork& work, unsigned threads) {
  Generator generator(0);
  const Lstm<> lstm(LstmWork::units, LstmWork::units, generator);
  lstm.input.setData(work.input);
  lstm.recurrent.setData(work.recurrent);
  lstm.bias.setData(work.bias);
  std::vector<Tensor<float>> xs;
  for (std::size_t i = 0; i < LstmWork::steps; ++i)
    xs.emplace_back(Shape{1, LstmWork::units},
                    work.xs.values().subspan(i * LstmWork::units, LstmWork::units));
  const auto workers = std::make_shared<examples::Workers>(threads);
  return {.reset = [] {},
          .run =
              [=] {
                double result = 0;
                for (int i = 0; i < LstmWork::passes; ++i) {
                  const auto found = workers->run(gradients(sum(lstm(xs, lstm.initial(1)).back().hidden)));
                  result = found.loss + static_cast<double>(sum(found.of(lstm.recurrent)));
                }
                return result;
              }};
}

}  // namespace tapestry::benchmarks
