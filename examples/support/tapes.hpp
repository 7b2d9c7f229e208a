// Defines the tapes that lead from dual numbers to that of the paper "Monadic Deep Learning" (section 5),
// each by the product of two, which tells what it does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <tapestry/raii.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace tapestry::examples::tapes {

/// What has been done; for one thread.
inline std::vector<std::string> events;
inline void tell(const std::string& event, const std::string& layer) {
  events.push_back(event + " " + layer);
}

/// Dual numbers: the derivative with respect to one variable comes along with the value.
struct Dual {
  double data, derivative;
};
inline Dual times(const std::string& name, Dual a, Dual b) {
  tell("acquire", name);
  return {a.data * b.data, a.derivative * b.data + a.data * b.derivative};
}

/// Closure-based dual numbers: a way back instead, for all variables; y0's is taken once for each of its four
/// uses.
struct Tape {
  double data;
  std::function<void(double)> backward;
};
inline Tape times(const std::string& name, const Tape& a, const Tape& b) {
  tell("acquire", name);
  return {a.data * b.data, [=](double delta) {
            tell("backward", name);
            a.backward(delta * b.data);
            b.backward(delta * a.data);
          }};
}

/// 1. Synchronous tapes: a layer makes its tape when it is asked. So y0 is now computed four times, too.
using Synchronous = std::function<Tape()>;
inline Synchronous times(const std::string& name, const Synchronous& a, const Synchronous& b) {
  return [=] { return times(name, a(), b()); };
}

/// 2. Asynchronous tapes: both ways are programs, whose parts may run in parallel.
struct AsynchronousTape {
  double data;
  std::function<UnitContinuation<void>(double)> backward;
};
using Asynchronous = UnitContinuation<AsynchronousTape>;
inline Asynchronous times(const std::string& name, const Asynchronous& left, const Asynchronous& right) {
  return tuple2(parallel(left), parallel(right)).map([=](const auto& operands) {
    tell("acquire", name);
    const auto back = [=](double delta) {
      tell("backward", name);
      const auto& [a, b] = operands;
      return tuple2(parallel(a.backward(delta * b.data)), parallel(b.backward(delta * a.data)))
          .map([](const auto&) {});
    };
    return AsynchronousTape{std::get<0>(operands).data * std::get<1>(operands).data, back};
  });
}

/// 3. Reference counts: a layer is computed for its first user, and its summed delta flows on after the last.
/// But whoever has acquired it must release it; if one forgets that, no delta arrives.
struct Counted {
  std::function<double()> open;
  std::function<void(double)> close;
  double data = 0, sum = 0;
  int users = 0;

  double acquire() { return users++ == 0 ? data = open() : data; }
  void backward(double delta) { sum += delta; }
  void release() {
    if (--users == 0) close(std::exchange(sum, 0));
  }
};
inline Counted times(const std::string& name, Counted& a, Counted& b) {
  const auto open = [=, &a, &b] {
    const double left = a.acquire(), right = b.acquire();
    tell("acquire", name);
    return left * right;
  };
  const auto close = [=, &a, &b](double delta) {
    tell("backward", name);
    a.backward(delta * b.data);
    b.backward(delta * a.data);
    tell("release", name);
    b.release();
    a.release();
  };
  return {open, close};
}

/// 4. ResourceT: the scope releases what was acquired in it, so nobody can forget that.
using Scope = ResourceT<UnitContinuationMonad>;
inline Scope::Type<Counted*> scoped(Counted& layer) {
  const auto release = delay([&layer] {
    layer.release();
    return Errors();
  });
  return Scope::Type<Counted*>(delay([&layer, release] {
    layer.acquire();
    return Resource<UnitContinuationMonad, Counted*>{&layer, release};
  }));
}

/// 5. TryT: a step may fail, and all is released as well.
using Failing = TryT<Scope>;

/// 6. Do is all of this: `shared` counts, `resource` releases, and errors and parallel parts come with it. A
/// layer needs nothing but to be written down.
using Layer = Do<Tape>;
inline Layer accumulating(const std::string& name, double data, const std::function<void(double)>& close) {
  using Open = std::pair<Tape, std::shared_ptr<double>>;
  const auto open = Do<Open>::delay([=] {
    tell("acquire", name);
    const auto sum = std::make_shared<double>(0);
    return Open(Tape{data, [sum](double delta) { *sum += delta; }}, sum);
  });
  return resource(open, [=](const Open& opened) { close(*opened.second); }).map([](const Open& opened) {
    return opened.first;
  });
}
inline Layer shared(const Layer& layer) {
  return layer.shared().map([](const Handle<Tape>& handle) { return *handle; });
}
// [do]
inline Layer times(const std::string& name, const Layer& left, const Layer& right) {
  return shared(tuple2(left, right).flatMap([=](const std::tuple<Tape, Tape>& operands) {
    const auto [a, b] = operands;
    return accumulating(name, a.data * b.data, [=, a = a, b = b](double delta) {
      tell("backward", name);
      a.backward(delta * b.data);
      b.backward(delta * a.data);
      tell("release", name);
    });
  }));
}
// [/do]
inline Layer literal(const std::string& name, double data) {
  return Layer::now({data, [=](double) { tell("backward", name + ", a no-op"); }});
}
inline Layer weight(const std::string& name, double data, const std::function<void(double)>& step) {
  return shared(accumulating(name, data, [=](double delta) {
    tell("step", name);
    step(delta);
  }));
}

}  // namespace tapestry::examples::tapes
