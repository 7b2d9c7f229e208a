// Defines SharedGate, the states through which users of one shared instance pass, and SharedUser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include "tapestry/continuation/detail/rendezvous.hpp"

namespace tapestry::detail {

enum class SharedPlace : unsigned char { waiting, opener, admitted, failed };

/// A user that comes to the gate, by way of M, a rendezvous. When its run goes on, and is not stopping, it
/// has a place other than `waiting`.
template <class M>
class BasicSharedUser : public M {
 public:
  using M::M;

  SharedPlace place = SharedPlace::waiting;
  std::exception_ptr error;  ///< where it has failed

 private:
  template <class, class>
  friend class BasicSharedGate;

  /// Precondition: claimed.
  void wake(SharedPlace given) noexcept {
    place = given;
    auto& waiting = this->run();
    if (this->ready()) waiting.resume();
  }

  BasicSharedUser* next_ = nullptr;
};

/// Lock-free. A state is one word, whose lowest bits name it:
///   idle     no users, no instance
///   open     the instance is there; with the number of users, which is not 0
///   opening  one user, the opener, runs the acquire; with the list of those who wait, the newest first
///   closing  the last user runs the release; with the list of those who wait
/// Whoever opens or closes is in charge: nobody else changes the state, but for those who come and wait. Of
/// those who wait after a release the first is the next opener. A waiter whose run was stopped stays in the
/// list, claimed, until somebody in charge passes over it.
template <class A, class M>
class BasicSharedGate {
 public:
  using User = BasicSharedUser<M>;

  /// The place of a user that need not wait; else `waiting`.
  [[nodiscard]] SharedPlace tryEnter() noexcept {
    Word state = state_.load();
    return tryEnter(state);
  }
  /// True if the user has its place; otherwise it waits for it.
  [[nodiscard]] bool enter(User& user) noexcept;

  /// For the opener: admits itself and all who wait.
  void opened() noexcept;
  /// For the opener: gives the error to all who wait; the next to come tries again.
  void failed(const std::exception_ptr& error) noexcept;
  /// For each user that was admitted, once; true for the last, which then releases and calls closed().
  [[nodiscard]] bool leave() noexcept;
  /// For whoever is in charge: there is no instance. The next who waits opens it.
  void closed() noexcept;

 private:
  using Word = std::uintptr_t;
  static constexpr Word idle = 0, open = 1, opening = 2, closing = 3, names = 3, oneUser = 4;
  static_assert(alignof(User) > names);

  /// Afterwards `state` is one in which users wait, if that is the place.
  SharedPlace tryEnter(Word& state) noexcept;
  /// The first of those who wait whom this can claim, or null; for whoever is in charge.
  User* claimFirst() noexcept;
  /// Takes the list out of the state into `waiting_`, which is empty, the oldest first.
  void takeWaiting() noexcept;
  bool change(Word from, Word to) noexcept { return state_.compare_exchange_strong(from, to); }

  typename A::template Atomic<Word> state_{idle};
  User* waiting_ = nullptr;  ///< those who wait and came before those in the state; for whoever is in charge
};

template <class A, class M>
SharedPlace BasicSharedGate<A, M>::tryEnter(Word& state) noexcept {
  for (;;) {
    if (state == idle) {
      if (state_.compare_exchange_weak(state, opening)) return SharedPlace::opener;
    } else if ((state & names) == open) {
      if (state_.compare_exchange_weak(state, state + oneUser)) return SharedPlace::admitted;
    } else {
      return SharedPlace::waiting;
    }
  }
}

template <class A, class M>
bool BasicSharedGate<A, M>::enter(User& user) noexcept {
  for (Word state = state_.load();;) {
    user.place = tryEnter(state);
    if (user.place != SharedPlace::waiting) return true;
    user.next_ = reinterpret_cast<User*>(state & ~names);
    user.retain();
    if (state_.compare_exchange_weak(state, reinterpret_cast<Word>(&user) | (state & names))) return false;
    user.release();
  }
}

template <class A, class M>
void BasicSharedGate<A, M>::takeWaiting() noexcept {
  User* newest = reinterpret_cast<User*>(state_.exchange(opening) & ~names);
  while (newest) {
    User* const user = std::exchange(newest, newest->next_);
    user->next_ = std::exchange(waiting_, user);
  }
}

template <class A, class M>
auto BasicSharedGate<A, M>::claimFirst() noexcept -> User* {
  if (!waiting_) takeWaiting();
  while (waiting_) {
    User* const user = std::exchange(waiting_, waiting_->next_);
    if (user->claim()) return user;
    user->release();
    if (!waiting_) takeWaiting();
  }
  return nullptr;
}

template <class A, class M>
void BasicSharedGate<A, M>::opened() noexcept {
  if (!waiting_ && change(opening, oneUser | open)) return;
  User* admitted = nullptr;
  User** end = &admitted;
  Word users = oneUser;
  do {
    while (User* const user = claimFirst()) {
      *end = user;
      end = &user->next_;
      users += oneUser;
    }
    *end = nullptr;
  } while (!change(opening, users | open));
  while (admitted) {
    User* const user = std::exchange(admitted, admitted->next_);
    user->wake(SharedPlace::admitted);
    user->release();
  }
}

template <class A, class M>
void BasicSharedGate<A, M>::failed(const std::exception_ptr& error) noexcept {
  User* all = nullptr;
  User** end = &all;
  do {
    while (User* const user = claimFirst()) {
      *end = user;
      end = &user->next_;
    }
    *end = nullptr;
  } while (!change(opening, idle));
  while (all) {
    User* const user = std::exchange(all, all->next_);
    user->error = error;
    user->wake(SharedPlace::failed);
    user->release();
  }
}

template <class A, class M>
bool BasicSharedGate<A, M>::leave() noexcept {
  for (Word state = state_.load();;) {
    const Word left = state - oneUser;
    const bool last = left == open;
    if (state_.compare_exchange_weak(state, last ? closing : left)) return last;
  }
}

template <class A, class M>
void BasicSharedGate<A, M>::closed() noexcept {
  if (!waiting_ && change(closing, idle)) return;
  do {
    if (User* const user = claimFirst()) {
      user->wake(SharedPlace::opener);
      return user->release();
    }
  } while (!change(opening, idle));
}

using SharedGate = BasicSharedGate<Atomics, Rendezvous>;
extern template class BasicSharedGate<Atomics, Rendezvous>;

/// The run parks where it has to wait.
class SharedUser : public BasicSharedUser<Rendezvous> {
 public:
  SharedUser(Run& run, SharedGate& gate) noexcept : BasicSharedUser(run), gate_(gate) {}

 private:
  bool park(Run&) noexcept final {
    retain();  // for the rendezvous
    if (!gate_.enter(*this)) return wait();
    release();
    return true;
  }

  SharedGate& gate_;
};

}  // namespace tapestry::detail
