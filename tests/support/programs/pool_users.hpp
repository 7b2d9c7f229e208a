// Defines Numbered, OpenPool and User: a pool of fake resources that the test ends by hand, and its users.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "support/error_text.hpp"
#include "support/programs/delivery.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/programs/manual.hpp"
#include "tapestry/raii/pool.hpp"

namespace tapestry::test {

using Name = Handle<std::string>;
using Names = Pool<std::string>;

/// Fake resources of a pool, "1", "2" and so on in the order in which they are made.
struct Numbered {
  FakeResources fake;
  std::atomic<int> made{0};
  /// How those behave that are made next.
  FakeBehaviour behaviour;

  Do<std::string> factory() {
    return Do<std::string>::suspend([this] { return fake.make(std::to_string(++made), behaviour); });
  }
  Do<Names> pool(std::size_t size) { return Names::scoped(size, factory()); }
};

/// A pool whose scope lasts until it is told to end.
template <class R>
class OpenPool {
 public:
  explicit OpenPool(const Do<Pool<R>>& scoped) {
    scoped
        .flatMap([this](const Pool<R>& pool) {
          pool_.emplace(pool);
          return Do<void>::lift(ending_.program());
        })
        .onComplete(delivery_.callback());
  }

  const Pool<R>& operator*() const { return *pool_; }
  const Pool<R>* operator->() const { return &*pool_; }

  /// Ends the scope; returns before the shutdown has, where that waits.
  void end() { ending_.take()(); }
  bool hasEnded() const { return delivery_.count() > 0; }
  std::string ended() { return hasEnded() ? outcomeText(delivery_.outcome()) : "not ended"; }

 private:
  Manual<void> ending_;
  std::optional<Pool<R>> pool_;
  Delivery<void> delivery_;
};

/// A run that uses an instance until it is told to give it back.
class User {
 public:
  explicit User(const Names& pool, const StopToken& stop = {}) {
    pool.use()
        .flatMap([this](const Name& handle) {
          instance = *handle;
          return Do<void>::lift(using_.program());
        })
        .onComplete(delivery_.callback(), stop);
  }
  User(const OpenPool<std::string>& pool, const StopToken& stop = {}) : User(*pool, stop) {}

  void giveBack() { using_.take()(); }
  std::string ended() { return delivery_.count() > 0 ? outcomeText(delivery_.outcome()) : "not ended"; }

  std::string instance = "none";

 private:
  Manual<void> using_;
  Delivery<void> delivery_;
};

}  // namespace tapestry::test
