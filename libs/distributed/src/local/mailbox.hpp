// Defines LocalMailbox, the messages for one rank in one process.
#pragma once

#include <cstdint>
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
    std::uint64_t number = 0;  ///< in the order of the mailbox; 0 for a letter that it never had
  };
  using Letters = std::list<Letter>;

  LocalMailbox(std::size_t owner, std::size_t size) : owner_(owner), left_(size, false) {}

  void put(Letter letter);
  /// The rank sends no more messages.
  void leave(std::size_t rank) noexcept;

 private:
  friend class LocalReceiving;
  /// Adds one letter at its place in the order, and wakes the first waiter that it fits.
  void add(Letters& letter) noexcept;
  /// Moves the first letter that fits to the waiter; returns whether there is one. Precondition: locked.
  bool takeFor(LocalReceiving& receiving) noexcept;
  /// Whether no rank is left that could send what the waiter waits for. Precondition: locked.
  bool isVain(const LocalReceiving& receiving) const noexcept;

  extend::WaitQueue queue_;
  const std::size_t owner_;
  Letters letters_;         ///< by number; guarded by queue_.lock, as are the next
  std::uint64_t last_ = 0;  ///< the greatest number
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
