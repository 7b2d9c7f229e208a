// Defines LocalMailbox, the messages for one rank in one process.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/distributed/communicator.hpp"
#include "tapestry/raii/extend/wait_for.hpp"

namespace tapestry::detail {

class LocalRank;
class LocalReceiving;

class LocalMailbox final {
 public:
  struct Letter {
    Message message;
    int tag;
  };
  using Letters = std::list<Letter>;

  LocalMailbox(std::size_t owner, std::size_t size) : owner_(owner), left_(size, false) {}

  void put(Message message, int tag, bool isFirst = false);
  /// The rank sends no more messages.
  void leave(std::size_t rank) noexcept;

 private:
  friend class LocalReceiving;
  /// Adds a letter before or after all others, and wakes the first waiter that it fits.
  void add(Letters& letter, bool isFirst) noexcept;
  /// Moves the first letter that fits to the waiter; returns whether there is one. Precondition: locked.
  bool takeFor(LocalReceiving& receiving) noexcept;
  /// Whether no rank is left that could send what the waiter waits for. Precondition: locked.
  bool isVain(const LocalReceiving& receiving) const noexcept;

  extend::WaitQueue queue_;
  const std::size_t owner_;
  Letters letters_;         ///< guarded by queue_.lock, as are the next
  std::vector<bool> left_;  ///< by rank
};

/// The wait of a run for a message.
class LocalReceiving : public extend::Waiter {
 public:
  struct Request {
    std::shared_ptr<LocalRank> rank;
    std::optional<std::size_t> from;
    int tag;
  };
  explicit LocalReceiving(const Request& request);

  extend::Acquired<Message> served();
  void declined() noexcept;

 private:
  friend class LocalMailbox;
  bool enter() noexcept final;

  LocalMailbox& mailbox_;
  const Request& request_;
  LocalMailbox::Letters letter_;  ///< at most one
  bool vain_ = false;
};

}  // namespace tapestry::detail
