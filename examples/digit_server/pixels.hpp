// Defines pixelsOf, how a request brings an image, and toJson of an Answer.
#pragma once

#include <string>
#include <tapestry/tensor/tensor.hpp>

#include "digit_server/digit_model.hpp"
#include "digit_server/http.hpp"

namespace tapestry::examples {

/// The 784 pixels of the request, row by row, divided by 255: of 784 bytes if its Content-Type is
/// application/octet-stream, or else of JSON, an array of 784 numbers or of 28 such rows. Throws HttpError,
/// 400, and says what is wrong.
Tensor<float> pixelsOf(const Request& request);

/// Throws HttpError, 500, for numbers that are not finite, which JSON does not have.
std::string toJson(const Answer& answer);

}  // namespace tapestry::examples
