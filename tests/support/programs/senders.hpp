// Defines a minimal implementation of the sender protocol of std::execution, on which tests stand: to be
// included before the headers of tapestry/raii/execution.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "support/programs/stop_tokens.hpp"

#define TAPESTRY_EXECUTION_NAMESPACE ::tapestry::test::senders

namespace tapestry::test::senders {

struct sender_t {};
struct receiver_t {};
struct operation_state_t {};
struct scheduler_t {};

struct set_value_t {
  void operator()(auto&& receiver, auto&&... values) const noexcept {
    static_assert(noexcept(std::move(receiver).set_value(std::forward<decltype(values)>(values)...)));
    std::move(receiver).set_value(std::forward<decltype(values)>(values)...);
  }
};
struct set_error_t {
  void operator()(auto&& receiver, auto&& error) const noexcept {
    static_assert(noexcept(std::move(receiver).set_error(std::forward<decltype(error)>(error))));
    std::move(receiver).set_error(std::forward<decltype(error)>(error));
  }
};
struct set_stopped_t {
  void operator()(auto&& receiver) const noexcept {
    static_assert(noexcept(std::move(receiver).set_stopped()));
    std::move(receiver).set_stopped();
  }
};
inline constexpr set_value_t set_value;
inline constexpr set_error_t set_error;
inline constexpr set_stopped_t set_stopped;

template <class... Signatures>
struct completion_signatures {};
/// Asks as the draft of C++26 does, and reads no nested alias.
template <class Sender, class... Env>
using completion_signatures_of_t =
    decltype(std::remove_cvref_t<Sender>::template get_completion_signatures<Sender, Env...>());

template <template <class...> class Tuple, template <class...> class Variant, class Signatures,
          class... Tuples>
struct ValueTypes;
template <template <class...> class Tuple, template <class...> class Variant, class... Tuples>
struct ValueTypes<Tuple, Variant, completion_signatures<>, Tuples...> {
  using Type = Variant<Tuples...>;
};
template <template <class...> class Tuple, template <class...> class Variant, class Other, class... Others,
          class... Tuples>
struct ValueTypes<Tuple, Variant, completion_signatures<Other, Others...>, Tuples...>
    : ValueTypes<Tuple, Variant, completion_signatures<Others...>, Tuples...> {};
template <template <class...> class Tuple, template <class...> class Variant, class... Values,
          class... Others, class... Tuples>
struct ValueTypes<Tuple, Variant, completion_signatures<set_value_t(Values...), Others...>, Tuples...>
    : ValueTypes<Tuple, Variant, completion_signatures<Others...>, Tuples..., Tuple<Values...>> {};
template <class Sender, class Env, template <class...> class Tuple, template <class...> class Variant>
using value_types_of_t = typename ValueTypes<Tuple, Variant, completion_signatures_of_t<Sender, Env>>::Type;

inline constexpr auto connect = [](auto&& sender, auto receiver) {
  static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(sender)>::sender_concept, sender_t>);
  static_assert(std::is_same_v<typename decltype(receiver)::receiver_concept, receiver_t>);
  return std::forward<decltype(sender)>(sender).connect(std::move(receiver));
};
inline constexpr auto start = [](auto& operation) noexcept {
  static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(operation)>::operation_state_concept,
                               operation_state_t>);
  static_assert(noexcept(operation.start()));
  operation.start();
};
inline constexpr auto schedule = [](const auto& scheduler) { return scheduler.schedule(); };

struct EmptyEnv {};
inline constexpr auto get_env = [](const auto& of) {
  if constexpr (requires { of.get_env(); })
    return of.get_env();
  else
    return EmptyEnv();
};
struct get_stop_token_t {
  template <class Env>
  auto operator()(const Env& env) const noexcept {
    if constexpr (requires { env.query(*this); })
      return env.query(*this);
    else
      return never_stop_token();
  }
};
inline constexpr get_stop_token_t get_stop_token;
template <class Tag>
struct get_completion_scheduler_t {
  auto operator()(const auto& env) const noexcept { return env.query(*this); }
};
template <class Tag>
inline constexpr get_completion_scheduler_t<Tag> get_completion_scheduler;

/// Completes its receiver within start, as the function of it does.
template <class Complete, class... Signatures>
struct AtOnce {
  using sender_concept = sender_t;
  template <class Self, class... Env>
  static consteval completion_signatures<Signatures...> get_completion_signatures() {
    return {};
  }

  template <class Receiver>
  struct Operation {
    using operation_state_concept = operation_state_t;
    void start() & noexcept { complete(std::move(receiver)); }
    Complete complete;
    Receiver receiver;
  };
  template <class Receiver>
  Operation<Receiver> connect(Receiver receiver) const {
    return {complete, std::move(receiver)};
  }

  Complete complete;
};
template <class... Signatures, class Complete>
auto atOnce(Complete complete) {
  return AtOnce<Complete, Signatures...>{std::move(complete)};
}

template <class... Values>
auto just(Values... values) {
  return atOnce<set_value_t(Values...)>([values = std::tuple(std::move(values)...)](auto receiver) {
    std::apply([&](auto... each) { set_value(std::move(receiver), std::move(each)...); }, values);
  });
}
template <class E>
auto just_error(E error) {
  return atOnce<set_error_t(E)>([error](auto receiver) { set_error(std::move(receiver), E(error)); });
}
inline auto just_stopped() {
  return atOnce<set_stopped_t()>([](auto receiver) { set_stopped(std::move(receiver)); });
}

/// The values of the sender go through the function.
template <class Sender, class F>
struct Then {
  template <class Signature>
  struct Result {
    using Type = Signature;
  };
  template <class... Values>
  struct Result<set_value_t(Values...)> {
    using Type = set_value_t(std::invoke_result_t<F, Values...>);
  };
  template <class Signatures>
  struct Results;
  template <class... Signatures>
  struct Results<completion_signatures<Signatures...>> {
    using Type = senders::completion_signatures<typename Result<Signatures>::Type...>;
  };
  template <class Receiver>
  struct Through {
    using receiver_concept = receiver_t;
    template <class... Values>
    void set_value(Values&&... values) && noexcept {
      senders::set_value(std::move(receiver), function(std::forward<Values>(values)...));
    }
    template <class E>
    void set_error(E&& error) && noexcept {
      senders::set_error(std::move(receiver), std::forward<E>(error));
    }
    void set_stopped() && noexcept { senders::set_stopped(std::move(receiver)); }
    auto get_env() const noexcept { return senders::get_env(receiver); }
    F function;
    Receiver receiver;
  };

  using sender_concept = sender_t;
  template <class Self, class... Env>
  static consteval auto get_completion_signatures() {
    return typename Results<completion_signatures_of_t<Sender, Env...>>::Type();
  }
  template <class Receiver>
  auto connect(Receiver receiver) const {
    return senders::connect(sender, Through<Receiver>{function, std::move(receiver)});
  }
  Sender sender;
  F function;
};
template <class Sender, class F>
auto then(Sender sender, F function) {
  return Then<Sender, F>{std::move(sender), std::move(function)};
}

/// Receives a V, an exception_ptr or stopped, on whatever thread, and has a stop source of its own.
template <class V>
struct Probe {
  struct Env {
    inplace_stop_token query(get_stop_token_t) const noexcept { return token; }
    inplace_stop_token token;
  };
  struct Receiver {
    using receiver_concept = receiver_t;
    void set_value(V given) && noexcept {
      probe->end([&] { probe->value = std::move(given); });
    }
    void set_error(std::exception_ptr e) && noexcept {
      probe->end([&] { probe->error = std::move(e); });
    }
    void set_stopped() && noexcept {
      probe->end([&] { probe->stopped = true; });
    }
    Env get_env() const noexcept { return {probe->source.get_token()}; }
    Probe* probe;
  };

  Receiver receiver() { return {this}; }
  /// Waits until it is complete.
  void wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return completions > 0; });
  }
  int count() {
    const std::lock_guard lock(mutex);
    return completions;
  }

  inplace_stop_source source;
  std::optional<V> value;
  std::exception_ptr error;
  bool stopped = false;

 private:
  template <class F>
  void end(F note) {
    const std::lock_guard lock(mutex);
    note();
    ++completions;
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  int completions = 0;
};

/// Blocks for the value; throws the error; empty where it was stopped.
template <class V, class Sender>
std::optional<V> sync_wait(const Sender& sender) {
  Probe<V> probe;
  auto operation = connect(sender, probe.receiver());
  start(operation);
  probe.wait();
  if (probe.error) std::rethrow_exception(probe.error);
  return std::move(probe.value);
}

}  // namespace tapestry::test::senders
