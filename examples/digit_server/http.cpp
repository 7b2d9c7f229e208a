#include "digit_server/http.hpp"

#include <boost/json.hpp>

namespace tapestry::examples {

Response HttpError::response() const {
  return {status_, "application/json",
          "{\"error\":" + boost::json::serialize(boost::json::string(what())) + "}\n", header_};
}

std::string toBytes(const Response& response, bool last) {
  std::string bytes;
  bytes.reserve(200 + response.body.size());
  bytes += "HTTP/1.1 " + std::to_string(static_cast<unsigned>(response.status)) + ' ';
  const auto reason = boost::beast::http::obsolete_reason(response.status);
  bytes.append(reason.data(), reason.size());
  bytes += "\r\nContent-Type: ";
  bytes += response.type;
  bytes += "\r\nContent-Length: " + std::to_string(response.body.size()) + "\r\n";
  bytes += response.header;
  if (last) bytes += "Connection: close\r\n";
  bytes += "\r\n";
  bytes += response.body;
  return bytes;
}

}  // namespace tapestry::examples
