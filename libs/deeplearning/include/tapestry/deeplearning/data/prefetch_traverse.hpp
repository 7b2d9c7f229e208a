// Defines prefetchTraverse, which runs a program for each item of a dataset while the next item is made.
#pragma once

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/data/dataset.hpp"
#include "tapestry/raii/do_tuple2.hpp"
#include "tapestry/raii/tail_rec_m.hpp"
#include "tapestry/raii/tryt/try.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The state of one run. Each round reads results of the previous round, which has been joined by then.
template <class D, class F>
struct Prefetched {
  using Item = ItemOf<D>;
  using Program = std::invoke_result_t<const F&, Item>;
  using Values = std::vector<Stored<typename Program::ValueType>>;

  void fetch(std::size_t index) {
    next = std::make_unique<Try<Item>>(Try<Item>::of([&] { return dataset.get(index); }));
  }
  /// Returns the program of the fetched item; throws if fetching has failed.
  Program program() { return function(std::move(*std::exchange(next, nullptr)).valueOrThrow()); }

  const D dataset;
  const F function;
  std::unique_ptr<Try<Item>> next;
  Values values;

  Prefetched(D d, F f) : dataset(std::move(d)), function(std::move(f)) {}
};

}  // namespace detail

/// Runs function(item), a Do, for one item after the other, and yields the values in order. While the program
/// of an item runs, an idle worker of the run makes the next item; without an idle worker, it is made
/// afterwards. So there are at most two items. Each program is a scope: its resources are released before the
/// next program begins.
///
/// If the dataset fails to make an item, the traversal fails after the programs of all items before it; if a
/// program fails, or the run is cancelled, no other program begins. It completes when none of its parts is
/// running.
///   prefetchTraverse(batches.epoch(0), [&](const auto& batch) { return train(lossOf(batch)); })
template <Dataset D, class F>
  requires detail::isDo<std::invoke_result_t<const F&, ItemOf<D>>>
[[nodiscard("a program does nothing until it is run")]] auto prefetchTraverse(
    D dataset, F function, detail::Location location = detail::Location::current()) {
  using Prefetched = detail::Prefetched<D, F>;
  using Values = typename Prefetched::Values;
  using Round = Step<std::size_t, Values>;
  return Do<Values>::suspend([dataset = std::move(dataset), function = std::move(function), location] {
    const auto run = std::make_shared<Prefetched>(dataset, function);
    const auto size = static_cast<std::size_t>(dataset.size());
    const auto round = [run, size, location](std::size_t index) {
      if (index == size) return Do<Round>::delay([run] { return Round::done(std::move(run->values)); });
      if (index == 0) run->fetch(0);
      const auto fetchNext = Do<void>::delay([run, next = index + 1, size] {
        if (next < size) run->fetch(next);
      });
      return tapestry::tupleN(tapestry::parallel(run->program().run(), location),
                              tapestry::parallel(fetchNext))
          .map([run, index](auto values) {
            run->values.push_back(std::get<0>(std::move(values)));
            return Round::next(index + 1);
          });
    };
    // the branches have the place in the user's source
    return tapestry::tailRecM(std::size_t{0}, round, detail::Location());
  });
}

void prefetchTraverse(...) = delete;  // expected a Dataset, and a function from its items to a Do

}  // namespace tapestry
#pragma GCC visibility pop
