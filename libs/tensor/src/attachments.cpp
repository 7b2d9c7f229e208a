#include "tapestry/tensor/attachments.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tapestry {

struct Attachments::All {
  std::mutex mutex;
  std::vector<std::pair<Key, std::shared_ptr<void>>> attachments;
};

std::shared_ptr<void> Attachments::find(const Key& key, Make make, const void* f) const {
  All* all = all_.load(std::memory_order_acquire);
  if (!all) {
    auto made = std::make_unique<All>();
    // another thread may have made them meanwhile
    if (all_.compare_exchange_strong(all, made.get(), std::memory_order_acq_rel)) all = made.release();
  }
  const std::lock_guard lock(all->mutex);
  for (const auto& [own, attachment] : all->attachments)
    if (own == key) return attachment;
  return all->attachments.emplace_back(key, make(f)).second;
}

void Attachments::destroy() noexcept { delete all_.load(std::memory_order_relaxed); }

}  // namespace tapestry
