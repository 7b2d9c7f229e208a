// Defines AnyCommunicator, which holds a communicator of any type.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include "tapestry/distributed/communicator.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A Communicator for code that is not a template. Copied in O(1). Each program costs one more map at most.
class AnyCommunicator {
 public:
  /// Holds a copy of the communicator.
  template <class C>
    requires(!std::same_as<std::remove_cvref_t<C>, AnyCommunicator> && Communicator<std::remove_cvref_t<C>>)
  AnyCommunicator(C&& communicator)  // NOLINT: implicit, as any communicator is one
      : held_(std::make_shared<const Model<std::remove_cvref_t<C>>>(std::forward<C>(communicator))) {}

  std::size_t rank() const noexcept { return held_->rank(); }
  std::size_t size() const noexcept { return held_->size(); }
  /// The time that a collective waits for the other ranks.
  Clock::Duration timeLimit() const noexcept { return held_->timeLimit(); }

  /// See Communicator for the programs.
  Do<void> allReduce(ReducedElements values, ReduceOp op = ReduceOp::sum,
                     std::shared_ptr<const void> owner = nullptr) const {
    return held_->allReduce(values, op, std::move(owner));
  }
  Do<Bytes> broadcast(Bytes bytes, std::size_t root = 0) const {
    return held_->broadcast(std::move(bytes), root);
  }
  Do<std::vector<Bytes>> gather(Bytes bytes, std::size_t root = 0) const {
    return held_->gather(std::move(bytes), root);
  }
  Do<std::vector<Bytes>> allGather(Bytes bytes) const { return held_->allGather(std::move(bytes)); }
  Do<void> barrier() const { return held_->barrier(); }
  Do<AnyCommunicator> split(std::size_t color) const { return held_->split(color); }
  Do<void> send(Bytes bytes, std::size_t to, int tag) const { return held_->send(std::move(bytes), to, tag); }
  Do<Message> receive(std::optional<std::size_t> from, int tag) const { return held_->receive(from, tag); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::size_t rank() const = 0;
    virtual std::size_t size() const = 0;
    virtual Clock::Duration timeLimit() const = 0;
    virtual Do<void> allReduce(ReducedElements, ReduceOp, std::shared_ptr<const void>) const = 0;
    virtual Do<Bytes> broadcast(Bytes, std::size_t) const = 0;
    virtual Do<std::vector<Bytes>> gather(Bytes, std::size_t) const = 0;
    virtual Do<std::vector<Bytes>> allGather(Bytes) const = 0;
    virtual Do<void> barrier() const = 0;
    virtual Do<AnyCommunicator> split(std::size_t) const = 0;
    virtual Do<void> send(Bytes, std::size_t, int) const = 0;
    virtual Do<Message> receive(std::optional<std::size_t>, int) const = 0;
  };

  template <class C>
  struct Model final : Interface {
    template <class X>
    explicit Model(X&& held) : communicator(std::forward<X>(held)) {}

    std::size_t rank() const override { return communicator.rank(); }
    std::size_t size() const override { return communicator.size(); }
    Clock::Duration timeLimit() const override { return communicator.timeLimit(); }
    Do<void> allReduce(ReducedElements values, ReduceOp op,
                       std::shared_ptr<const void> owner) const override {
      return std::visit([&](auto span) { return communicator.allReduce(span, op, std::move(owner)); },
                        values);
    }
    Do<Bytes> broadcast(Bytes bytes, std::size_t root) const override {
      return communicator.broadcast(std::move(bytes), root);
    }
    Do<std::vector<Bytes>> gather(Bytes bytes, std::size_t root) const override {
      return communicator.gather(std::move(bytes), root);
    }
    Do<std::vector<Bytes>> allGather(Bytes bytes) const override {
      return communicator.allGather(std::move(bytes));
    }
    Do<void> barrier() const override { return communicator.barrier(); }
    Do<AnyCommunicator> split(std::size_t color) const override {
      return communicator.split(color).map([](C part) { return AnyCommunicator(std::move(part)); });
    }
    Do<void> send(Bytes bytes, std::size_t to, int tag) const override {
      return communicator.send(std::move(bytes), to, tag);
    }
    Do<Message> receive(std::optional<std::size_t> from, int tag) const override {
      return communicator.receive(from, tag);
    }
    C communicator;
  };

  std::shared_ptr<const Interface> held_;
};

static_assert(Communicator<AnyCommunicator>);

}  // namespace tapestry
#pragma GCC visibility pop
