#include "tapestry/deeplearning/training/early_stopping.hpp"

#include <stdexcept>
#include <utility>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/storage/model_arrays.hpp"
#include "tapestry/deeplearning/storage/named_arrays.hpp"

namespace tapestry {

EarlyStopping::EarlyStopping(Weights weights, EarlyStoppingOptions options)
    : weights_(std::move(weights)), options_(options) {
  if (options.patience == 0)
    throw std::invalid_argument(
        "tapestry::EarlyStopping: the patience is wrong, got 0, expected at least one epoch");
  detail::requireFactor("EarlyStopping", "least", options.least);
}

Do<bool> EarlyStopping::goesOn(double loss) {
  return Do<bool>::suspend([this, loss]() -> Do<bool> {
    const std::size_t epoch = epochs_++;
    if (!(loss < lowest_ - options_.least)) return Do<bool>::now(++waited_ < options_.patience);
    return modelArrays(weights_, {.optimizers = false}).map([=, this](NamedArrays arrays) {
      arrays_ = std::make_shared<const NamedArrays>(std::move(arrays));
      lowest_ = loss;
      best_ = epoch;
      waited_ = 0;
      return true;
    });
  });
}

Do<void> EarlyStopping::restore() const {
  return Do<void>::suspend([this]() -> Do<void> {
    if (!arrays_) return Do<void>::now();
    // goesOn keeps weights whatever their values
    return setModelArrays(weights_, *arrays_, {.optimizers = false, .finite = false}, "EarlyStopping");
  });
}

}  // namespace tapestry
