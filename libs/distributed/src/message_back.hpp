// Defines received, the end of a wait by a message, which goes back if no function has got it.
#pragma once

#include <utility>

#include "tapestry/distributed/communicator.hpp"
#include "tapestry/raii/extend/returning_release.hpp"
#include "tapestry/raii/extend/wait_for.hpp"

namespace tapestry::detail {

/// The release of a message.
template <class F>
class MessageBack final : public extend::ReturningRelease {
 public:
  explicit MessageBack(F putBack) : putBack_(std::move(putBack)) {}
  bool takeBack(void* value, const void* type) const noexcept override {
    if (!value) return true;
    if (type != &valueKey<Try<Message>>) return false;
    putBack_(std::move(static_cast<Try<Message>*>(value)->get()));
    return true;
  }

 private:
  const F putBack_;
};

/// The message, which putBack(message) gets if no function does.
template <class F>
extend::Acquired<Message> received(Message message, F putBack) {
  return {Try<Message>::success(std::move(message)),
          UnitContinuation<Errors>(Ref<const ProgramNode>(makeRef<MessageBack<F>>(std::move(putBack))))};
}

}  // namespace tapestry::detail
