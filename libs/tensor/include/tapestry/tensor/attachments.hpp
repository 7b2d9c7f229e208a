// Defines Attachments, what other libraries keep beside immutable data, such as a copy on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace tapestry {

/// Objects that live as long as the data that they are made of, each found by a key. Several threads may use
/// one object at once.
class Attachments {
 public:
  /// The owner's address, which stays that of the owner while the attachment exists, and what the owner has
  /// attached.
  struct Key {
    const void* owner = nullptr;
    std::uint64_t kind = 0;
    std::uint64_t number = 0;
    friend bool operator==(const Key&, const Key&) noexcept = default;
  };

  /// Returns the attachment of the key, which `make` makes at the first call, as a std::shared_ptr<T>. One
  /// key is used with one T. What `make` throws is passed on, and nothing is kept then. `make` must not use
  /// these attachments.
  template <class T, class F>
  std::shared_ptr<T> get(const Key& key, const F& make) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [own, attachment] : all_)
      if (own == key) return std::static_pointer_cast<T>(attachment);
    std::shared_ptr<T> made = make();
    all_.emplace_back(key, made);
    return made;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<Key, std::shared_ptr<void>>> all_;
};

}  // namespace tapestry
#pragma GCC visibility pop
