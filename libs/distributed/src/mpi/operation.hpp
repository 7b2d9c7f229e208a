// Defines MpiOperation, an operation of MPI that a run may wait for.
#pragma once

#include "pending.hpp"

namespace tapestry::detail {

class MpiGroup;

class MpiOperation : public Pending {
 public:
  /// Tests the operation, and finishes it when it has ended; returns whether it needs no more tests. Called
  /// on one thread at a time.
  virtual bool poll() = 0;
  /// The communicator whose ranks this operation waits for, or null.
  virtual MpiGroup* awaits() noexcept { return nullptr; }
};

}  // namespace tapestry::detail
