#include "digit_server/http.hpp"

#include <boost/json.hpp>

namespace tapestry::examples {

Response HttpError::response() const {
  return {status_, "application/json",
          "{\"error\":" + boost::json::serialize(boost::json::string(what())) + "}\n", header_};
}

Framing framingFor(const Request& request, bool last) {
  return {.last = last,
          .withBody = request.method() != boost::beast::http::verb::head,
          .statesPersistence = request.version() < 11};
}

std::string toBytes(const Response& response, const Framing& framing) {
  std::string bytes;
  bytes.reserve(200 + response.body.size());
  bytes += "HTTP/1.1 " + std::to_string(static_cast<unsigned>(response.status)) + ' ';
  const auto reason = boost::beast::http::obsolete_reason(response.status);
  bytes.append(reason.data(), reason.size());
  bytes += "\r\nContent-Type: ";
  bytes += response.type;
  bytes += "\r\n";
  // The length of what GET /events sends is unknown, so that the response to HEAD /events states none.
  if (framing.withBody || !response.body.empty())
    bytes += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  bytes += response.header;
  if (framing.last) bytes += "Connection: close\r\n";
  if (!framing.last && framing.statesPersistence) bytes += "Connection: keep-alive\r\n";
  bytes += "\r\n";
  if (framing.withBody) bytes += response.body;
  return bytes;
}

}  // namespace tapestry::examples
