#include "digit_server/pixels.hpp"

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <boost/json.hpp>
#include <cmath>
#include <span>
#include <string_view>

#include "support/digits.hpp"

namespace tapestry::examples {
namespace {

namespace json = boost::json;

[[noreturn]] void refuse(const std::string& got, const std::string& expected) {
  throw HttpError(Status::bad_request, "got " + got + ", expected " + expected);
}

const std::string wanted = "784 numbers from 0 to 255, or 28 rows of 28";

class Pixels {
 public:
  void add(double pixel) {
    if (!(pixel >= 0 && pixel <= 255))
      refuse("the number " + json::serialize(json::value(pixel)), "numbers from 0, background, to 255, ink");
    if (size_ < Digits::imageSize) values_[size_] = static_cast<float>(pixel) / 255;
    ++size_;
  }
  void add(const json::value& pixel) {
    if (pixel.is_number()) return add(pixel.to_number<double>());
    if (const auto* row = pixel.if_array(); row && row->size() == Digits::side)
      for (const json::value& each : *row)
        if (each.is_number())
          add(each);
        else
          refuse("a row with something else than numbers", wanted);
    else
      refuse(row ? "a row of " + std::to_string(row->size()) + " numbers" : "something else than a number",
             wanted);
  }
  Tensor<float> done() const {
    if (size_ != Digits::imageSize) refuse(std::to_string(size_) + " numbers", wanted);
    return Tensor<float>({Digits::imageSize}, values_);
  }

 private:
  std::array<float, Digits::imageSize> values_;
  std::size_t size_ = 0;
};

Tensor<float> ofBytes(std::string_view bytes) {
  if (bytes.size() != Digits::imageSize)
    refuse(std::to_string(bytes.size()) + " bytes", "784, one for each pixel");
  auto pixels = Tensor<float>::uninitialized({Digits::imageSize});
  std::ranges::transform(bytes, pixels.exclusiveData(), [](char byte) {
    return static_cast<float>(static_cast<unsigned char>(byte)) / 255;
  });
  return pixels;
}

Tensor<float> ofJson(json::string_view text) {
  std::array<unsigned char, 32768> memory;  // holds the values of an image
  json::monotonic_resource resource(memory.data(), memory.size());
  boost::system::error_code error;
  const json::value value = json::parse(text, error, &resource);
  if (error)
    refuse("a body that is no JSON (" + error.message() + ")",
           wanted + ", or 784 bytes and Content-Type: application/octet-stream");
  if (!value.is_array()) refuse("JSON that is no array", wanted);
  Pixels pixels;
  for (const json::value& pixel : value.get_array()) pixels.add(pixel);
  return pixels.done();
}

/// The media type without parameters, such as charset.
boost::beast::string_view mediaType(const Request& request) {
  const auto type = request[boost::beast::http::field::content_type];
  const auto end = std::min(type.find_first_of("; \t"), type.size());
  return type.substr(0, end);
}

/// With six places after the point; the value is from 0 to 1. std::to_chars took a tenth of a request.
void append(std::string& text, float value) {
  constexpr unsigned scale = 1'000'000;
  const auto number = static_cast<unsigned>(static_cast<double>(value) * scale + 0.5);
  std::array<char, 8> digits{static_cast<char>('0' + number / scale), '.'};
  for (unsigned i = 7, rest = number; i > 1; --i, rest /= 10) digits[i] = static_cast<char>('0' + rest % 10);
  text.append(digits.data(), digits.size());
}

void append(std::string& text, std::span<const float> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += i == 0 ? '[' : ',';
    append(text, values[i]);
  }
  text += ']';
}

bool isFinite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

}  // namespace

Tensor<float> pixelsOf(const Request& request) {
  const bool bytes = boost::beast::iequals(mediaType(request), "application/octet-stream");
  return bytes ? ofBytes(request.body()) : ofJson(request.body());
}

std::string toJson(const Answer& answer) {
  if (!isFinite(answer.probabilities) || !isFinite(answer.scores))
    throw HttpError(Status::internal_server_error, "the model gives probabilities that are not finite");
  std::string text;
  text.reserve(200);
  text += "{\"digit\":" + std::to_string(answer.digit()) + ",\"probabilities\":";
  append(text, answer.probabilities);
  text += ",\"expert\":" + std::to_string(answer.expert) + ",\"scores\":";
  append(text, answer.scores);
  text += "}\n";
  return text;
}

}  // namespace tapestry::examples
