// Defines Attachments, what other libraries keep beside immutable data, such as a copy on a device.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

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
    constexpr Make makeAny = [](const void* f) {
      return std::shared_ptr<void>(std::shared_ptr<T>((*static_cast<const F*>(f))()));
    };
    return std::static_pointer_cast<T>(find(key, makeAny, &make));
  }

  Attachments() noexcept = default;
  Attachments(const Attachments&) = delete;
  Attachments& operator=(const Attachments&) = delete;
  ~Attachments() {
    if (all_.load(std::memory_order_relaxed)) destroy();
  }

 private:
  using Make = std::shared_ptr<void> (*)(const void* f);
  struct All;

  std::shared_ptr<void> find(const Key& key, Make make, const void* f) const;
  void destroy() noexcept;

  mutable std::atomic<All*> all_{nullptr};  ///< null before the first call of get
};

}  // namespace tapestry
#pragma GCC visibility pop
