// Defines hasOneDnn, whether oneDNN is used, and OneThread, which keeps it on the calling thread.
#pragma once

namespace tapestry::kernels {

/// On other processors than these, oneDNN has only reference code, which is slow.
#if defined(TAPESTRY_HAS_ONEDNN) && defined(__x86_64__)
inline constexpr bool hasOneDnn = true;
#else
inline constexpr bool hasOneDnn = false;
#endif

/// Keeps the calling thread's OpenMP at one thread; otherwise each of our threads would open its own team.
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
