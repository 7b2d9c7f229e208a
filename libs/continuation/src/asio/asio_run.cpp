#include "tapestry/continuation/asio/detail/asio_run.hpp"

namespace tapestry::detail {

boost::system::error_code asioCodeOf(const std::exception_ptr& error) noexcept {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const boost::system::system_error& failure) {
    return failure.code();
  } catch (...) {
  }
  return {};
}

}  // namespace tapestry::detail
