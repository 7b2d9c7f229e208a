// Defines predict, which evaluates layers and changes nothing.
#pragma once

#include <type_traits>

#include "tapestry/deeplearning/detail/pass/run_pass.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Yields the data of a layer, of a tuple or a range of layers, or of several of these as a tuple, evaluated
/// in one pass. No data are kept for derivatives: an intermediate result is freed as soon as no user can ask
/// for it again.
template <Differentiable L, Differentiable... More>
[[nodiscard]] auto predict(const L& layer, const More&... more) {
  return detail::runPass(
      {.kind = detail::PassKind::forwardOnly}, detail::observing(detail::evaluate(layer), more...),
      [](detail::Pass&, const auto& value) { return Do<std::remove_cvref_t<decltype(value)>>::now(value); });
}

void predict(...) = delete;  // expected Differentiable layers, or tuples and ranges of these

}  // namespace tapestry
#pragma GCC visibility pop
