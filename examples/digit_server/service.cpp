#include "digit_server/service.hpp"

#include <algorithm>
#include <array>

#include "digit_server/page.hpp"
#include "digit_server/pixels.hpp"

namespace tapestry::examples {
namespace {

namespace http = boost::beast::http;

constexpr std::string_view predict = "/predict", page = "/", metricsPath = "/metrics", health = "/healthz",
                           events = "/events";

/// HEAD is allowed wherever GET is allowed; its response is the response to GET without the body.
void check(const Request& request, http::verb verb, std::string_view header) {
  if (request.method() == verb || (verb == http::verb::get && request.method() == http::verb::head)) return;
  throw HttpError(
      Status::method_not_allowed,
      "got " + std::string(request.method_string()) + ", expected " + std::string(to_string(verb)), header);
}

}  // namespace

std::string_view Service::routeOf(const Request& request) {
  const std::string_view target(request.target().data(), request.target().size());
  const std::string_view path = target.substr(0, target.find('?'));
  for (const std::string_view route : {predict, page, metricsPath, health, events})
    if (path == route) return route;
  return "other";
}

Do<Response> Service::respond(const Request& request) const {
  const std::string_view route = routeOf(request);
  if (route == predict) return predictDigit(request);
  return Do<Response>::delay([this, &request, route]() -> Response {
    if (route == "other")
      throw HttpError(Status::not_found,
                      "nothing is here, expected /predict, /, /events, /metrics or /healthz");
    check(request, http::verb::get, "Allow: GET, HEAD\r\n");
    if (route == page) return {Status::ok, "text/html; charset=utf-8", std::string(pageText)};
    if (route == metricsPath) return {Status::ok, "text/plain; version=0.0.4", metrics.text(curve)};
    if (route == events) return {Status::ok, "text/event-stream", {}};  // the connection sends them
    return {Status::ok, "text/plain", "ok\n"};
  });
}

// [predict]
/// The image waits for others that come within the window; one call of the model answers them all.
Do<Response> Service::predictDigit(const Request& request) const {
  return Do<Tensor<float>>::delay([&request] {
           check(request, http::verb::post, "Allow: POST\r\n");
           return pixelsOf(request);
         })
      .flatMap(answerOne_)
      .map([](const Answer& answer) { return Response{.body = toJson(answer)}; });
}
// [/predict]

Do<std::vector<Answer>> Service::answerAll(const Images& images) {
  return model.answer(images).map([this](std::vector<Answer> answers) {
    metrics.batch(answers);
    return answers;
  });
}

}  // namespace tapestry::examples
