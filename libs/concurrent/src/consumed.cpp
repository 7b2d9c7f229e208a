#include "tapestry/concurrent/stream/detail/consumed.hpp"

#include <mutex>
#include <unordered_set>

namespace tapestry::detail {

namespace {

/// All sources that have a consumer. Never destroyed, since runs may outlive static objects.
struct Consumed {
  std::mutex mutex;
  std::unordered_set<const void*> sources;

  static Consumed& get() {
    static Consumed& consumed = *new Consumed;
    return consumed;
  }
};

}  // namespace

bool beginConsuming(const void* source) {
  Consumed& consumed = Consumed::get();
  const std::lock_guard guard(consumed.mutex);
  return consumed.sources.insert(source).second;
}

void endConsuming(const void* source) noexcept {
  Consumed& consumed = Consumed::get();
  const std::lock_guard guard(consumed.mutex);
  consumed.sources.erase(source);
}

}  // namespace tapestry::detail
