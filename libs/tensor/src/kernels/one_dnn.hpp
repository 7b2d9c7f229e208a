// Defines what our uses of oneDNN share: hasOneDnn, and OneThread, which keeps it on the calling thread.
#pragma once

namespace tapestry::kernels {

/// Elsewhere it has reference code alone, which is slow.
#if defined(__x86_64__)
inline constexpr bool hasOneDnn = true;
#else
inline constexpr bool hasOneDnn = false;
#endif

/// Keeps the calling thread's OpenMP at one thread: each of our threads would open a team of its own.
class OneThread {
 public:
  OneThread() noexcept;
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

}  // namespace tapestry::kernels
