// Defines the collectives of MpiCommunicator.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "mpi/group.hpp"
#include "tapestry/tensor/tensor.hpp"

namespace tapestry::detail {

/// In place, on the bytes, which the owner keeps, or which belong to this. Large arrays are cut into a part
/// for each rank: every rank gets all ranks' values of its part, adds them up in the order of ranks, and
/// gives the sums to all.
class MpiAllReduce final : public MpiCollective {
 public:
  MpiAllReduce(std::shared_ptr<MpiGroup> itsGroup, const CollectiveCall& itsCall, std::span<std::byte> values,
               std::shared_ptr<const void> owner);
  std::span<const std::byte> values() const noexcept { return values_; }

 private:
  void post(int phase) override;
  void postWhole();
  void scatterParts();
  void reducePart();
  void gatherParts();
  std::size_t width() const noexcept { return call.count ? values_.size() / call.count : 1; }
  std::span<std::byte> ownPart() const noexcept;

  const bool isCut_;
  const std::shared_ptr<const void> owner_;
  Bytes copy_;
  std::span<std::byte> values_;
  std::vector<int> counts_, begins_;                  ///< of the ranks' parts, in elements
  std::vector<int> receivedCounts_, receivedBegins_;  ///< of the ranks' values in received_
  Tensor<float> received_;                            ///< all ranks' values of this rank's part, as bytes
};

class MpiBarrier final : public MpiCollective {
 public:
  explicit MpiBarrier(std::shared_ptr<MpiGroup> itsGroup)
      : MpiCollective(std::move(itsGroup), CollectiveCall{.kind = CollectiveKind::barrier}, 0) {}

 private:
  void post(int phase) override;
};

/// The length, then the bytes.
class MpiBroadcast final : public MpiCollective {
 public:
  MpiBroadcast(std::shared_ptr<MpiGroup> itsGroup, Bytes bytes, std::size_t root);
  Bytes take() noexcept { return std::move(bytes_); }

 private:
  void post(int phase) override;
  Bytes bytes_;
  std::uint64_t length_;
};

/// All ranks' lengths, then the bytes: on the root, or for allGather on all ranks.
class MpiGather final : public MpiCollective {
 public:
  MpiGather(std::shared_ptr<MpiGroup> itsGroup, const CollectiveCall& itsCall, Bytes bytes);
  /// By rank; empty where nothing is gathered.
  std::vector<Bytes> take() const;

 private:
  void post(int phase) override;
  /// Returns whether the bytes fit into one operation.
  bool prepare();
  bool receives() const noexcept {
    return call.kind == CollectiveKind::allGather || call.root == group->rank;
  }

  const Bytes bytes_;
  std::vector<std::uint64_t> lengths_;
  std::vector<int> counts_, begins_;
  Bytes all_;
};

/// A barrier, then MPI_Comm_split, which waits, on a separate thread where MPI allows.
class MpiSplit final : public MpiCollective {
 public:
  MpiSplit(std::shared_ptr<MpiGroup> itsGroup, std::size_t color);
  std::shared_ptr<MpiGroup> part() const noexcept { return part_; }

 private:
  void post(int phase) override;
  bool isPhaseOver() override;
  void split() noexcept;
  /// The colors as small numbers, of which MPI has at least 2^15.
  int colorNumber() const;

  std::vector<std::uint64_t> colors_;
  bool splits_ = false;
  std::atomic<bool> hasSplit_ = false;
  std::shared_ptr<MpiGroup> part_;
};

}  // namespace tapestry::detail
