// Defines Request, Response and HttpError, the words in which the connections and the routes of digit_server
// talk.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tapestry::examples {

using Status = boost::beast::http::status;
using Request = boost::beast::http::request<boost::beast::http::string_body>;

struct Response {
  Status status = Status::ok;
  std::string_view type = "application/json";  ///< a literal
  std::string body;
  std::string_view header = {};  ///< further lines, a literal; each ends with \r\n
};

/// A request that is refused; the message says why.
class HttpError : public std::runtime_error {
 public:
  HttpError(Status status, const std::string& reason, std::string_view header = {})
      : runtime_error(reason), status_(status), header_(header) {}

  Status status() const noexcept { return status_; }
  /// With {"error": reason} as its body.
  Response response() const;

 private:
  Status status_;
  std::string_view header_;
};

/// How a response is sent.
struct Framing {
  bool last = false;               ///< states that the connection ends with this response
  bool withBody = true;            ///< false for the response to HEAD, which is the header alone
  bool statesPersistence = false;  ///< for HTTP/1.0: states also that the connection stays open
};

/// The framing of the response to the request.
Framing framingFor(const Request& request, bool last);

/// The bytes of the response.
std::string toBytes(const Response& response, const Framing& framing);

}  // namespace tapestry::examples
