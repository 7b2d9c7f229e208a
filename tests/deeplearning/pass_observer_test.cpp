#include <tapestry/deeplearning/pass_observer.hpp>

#include <doctest/doctest.h>

#include <map>
#include <mutex>
#include <set>

#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

/// How often each event came for each node.
class Tally final : public PassObserver {
 public:
  void observe(Event event, std::string_view, const void* node) noexcept override {
    const std::scoped_lock guard(mutex_);
    ++times_[{event, node}];
  }
  std::set<const void*> nodes(Event event) const {
    std::set<const void*> found;
    for (const auto& [key, times] : times_)
      if (key.first == event) found.insert(key.second);
    return found;
  }
  bool onceEach() const {
    return std::ranges::all_of(times_, [](const auto& entry) { return entry.second == 1; });
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<Event, const void*>, int> times_;
};

}  // namespace

TEST_CASE("each layer has one forward, one backward and one release in a pass, however it is shared") {
  using Event = PassObserver::Event;
  ThreadPool pool(2);
  const TensorWeight weight(Tensor<float>::full({100'000}, 1), sgd(1e-6));
  std::vector<TensorLayer> layers;
  const auto shared = sin(weight);
  for (int i = 0; i < 10; ++i) layers.push_back(exp(shared * weight) + shared);
  const auto loss = sum(sum(layers));
  for (const bool onPool : {false, true}) {
    const auto tally = std::make_shared<Tally>();
    const auto program = observed(train(loss), tally);
    if (onPool)
      program.blockingAwait(pool);
    else
      program.blockingAwait();
    CHECK(tally->onceEach());
    CHECK(tally->nodes(Event::forward).size() == 1 + 3 * 10 + 2);
    CHECK(tally->nodes(Event::backward) == tally->nodes(Event::forward));
    CHECK(tally->nodes(Event::release) == tally->nodes(Event::forward));
    CHECK(tally->nodes(Event::read) == std::set<const void*>{weight.node().get()});
    CHECK(tally->nodes(Event::step) == tally->nodes(Event::read));
  }
}
