// Defines Service, the answers of digit_server by route.
#pragma once

#include <cstdint>
#include <string_view>
#include <tapestry/concurrent/batched.hpp>
#include <tapestry/raii.hpp>
#include <vector>

#include "digit_server/digit_model.hpp"
#include "digit_server/http.hpp"
#include "digit_server/loss_curve.hpp"
#include "digit_server/metrics.hpp"

namespace tapestry::examples {

/// Its programs run on one thread, which alone uses the curve and the metrics. It must outlive them.
class Service {
 public:
  Service(std::uint64_t seed, const BatchPolicy& batches)
      : model(seed),
        answerOne_(batched([this](const Images& images) { return answerAll(images); }, batches)) {}
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Yields the response; fails with an HttpError if it refuses the request, which must outlive the run.
  Do<Response> respond(const Request& request) const;

  /// The path of the request as a literal, or "other" if nothing is there.
  static std::string_view routeOf(const Request& request);

  const DigitModel model;
  LossCurve curve;
  Metrics metrics;

 private:
  using Images = std::vector<Tensor<float>>;

  Do<std::vector<Answer>> answerAll(const Images& images);
  Do<Response> predictDigit(const Request& request) const;

  const Batched<Tensor<float>, Answer> answerOne_;
};

}  // namespace tapestry::examples
