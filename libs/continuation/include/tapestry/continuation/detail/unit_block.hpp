// Defines UnitBlock, a block of direct style that cannot fail.
#pragma once

#include <exception>
#include <utility>

#include "tapestry/continuation/detail/stoppable_block.hpp"
#include "tapestry/continuation/monad/errors.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class Carrier>
class UnitBlock final : public Carrier {
 public:
  using ValueType = typename Carrier::Result;

  UnitBlock(const typename Carrier::Function& function, Location location) noexcept
      : Carrier(nullptr, function), location_(location) {}

 private:
  void body(Run& run) noexcept override {
    try {
      auto value = this->result();
      if (!this->stopped()) return run.put<Stored<ValueType>>(std::move(value));
    } catch (const Cancelled&) {
    } catch (...) {
      if (!this->isStop(std::current_exception())) functionThrew("direct", location_);
    }
    run.stop(this->takeStopped());
  }
  void refuse(Run& run, const std::exception_ptr& error) noexcept override {
    Errors errors = this->takeStopped();
    errors.append(error);
    run.stop(std::move(errors));
  }

  Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
