#include "digit_server/request_reader.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/http/error.hpp>
#include <string_view>
#include <tapestry/asio.hpp>
#include <tapestry/raii/asio/as_do.hpp>
#include <tapestry/raii/direct/direct.hpp>
#include <tapestry/raii/race.hpp>
#include <tapestry/raii/timeout.hpp>
#include <variant>

namespace tapestry::examples {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

constexpr std::size_t blockSize = 4096;

HttpError refused(const boost::system::error_code& error, const Limits& limits) {
  if (error == http::error::body_limit)
    return {Status::payload_too_large,
            "the body is too large, expected at most " + std::to_string(limits.body) + " bytes"};
  if (error == http::error::header_limit)
    return {Status::request_header_fields_too_large,
            "the header is too large, expected at most " + std::to_string(limits.header) + " bytes"};
  return {Status::bad_request, "this is no HTTP: " + error.message()};
}

}  // namespace

std::optional<Request> RequestReader::next(const Event& stopping) {
  parser_.emplace();
  parser_->eager(true);
  parser_->body_limit(limits_.body);
  parser_->header_limit(static_cast<std::uint32_t>(limits_.header));
  if (buffer_.size() == 0 && !begins(stopping)) return std::nullopt;
  if (!parse()) readRest();
  return parser_->release();
}

bool RequestReader::begins(const Event& stopping) {
  if (readNow()) return true;
  // an attempt, since an error would not end the race
  const auto first = race(readSome().attempt(), stopping.wait());
  try {
    auto winner = !timeout(first, limits_.idle);
    if (winner.index() == 0) return std::get<0>(std::move(winner)).valueOrThrow() > 0;
    return buffer_.size() > 0 || readNow();  // what came with the stop is in flight, too
  } catch (const TimeoutError&) {
    return false;
  } catch (const boost::system::system_error& error) {
    if (error.code() != asio::error::eof) throw;
    return false;
  }
}

bool RequestReader::readNow() {
  boost::system::error_code error;
  const std::size_t size = socket_->read_some(buffer_.prepare(blockSize), error);
  if (error && error != asio::error::would_block && error != asio::error::eof)
    throw boost::system::system_error(error);
  buffer_.commit(size);
  return size > 0;
}

bool RequestReader::parse() {
  while (buffer_.size() != 0) {
    boost::system::error_code error;
    buffer_.consume(parser_->put(buffer_.data(), error));
    if (error == http::error::need_more) return false;
    if (error) throw refused(error, limits_);
    if (parser_->is_done()) return true;
  }
  return false;
}

void RequestReader::readRest() {
  const auto rest = direct<Do>([this] {
    bool mayExpect = true;
    do {
      if (mayExpect && parser_->is_header_done() && parser_->get()[http::field::expect] == "100-continue") {
        constexpr std::string_view goOn = "HTTP/1.1 100 Continue\r\n\r\n";
        !asio::async_write(*socket_, asio::buffer(goOn), asDo);
        mayExpect = false;
      }
      !readSome();
    } while (!parse());
  });
  try {
    !timeout(rest, limits_.request);
  } catch (const TimeoutError&) {
    throw HttpError(Status::request_timeout, "the request took too long");
  }
}

Do<std::size_t> RequestReader::readSome() {
  return socket_->async_read_some(buffer_.prepare(blockSize), asDo).map([this](std::size_t size) {
    buffer_.commit(size);
    return size;
  });
}

}  // namespace tapestry::examples
