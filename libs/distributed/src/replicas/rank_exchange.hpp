// Defines RankExchange, the exchange of one pass with the passes of the other ranks.
#pragma once

#include <atomic>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "replicas/bucket.hpp"
#include "replicas/replica_group.hpp"
#include "replicas/vote.hpp"
#include "tapestry/deeplearning/extend/exchange.hpp"

namespace tapestry::detail {

/// On its lane's communicator for votes, every rank has the same collectives, in this order:
/// 1. for each bucket a header, the greatest BucketState of all ranks; a header that is `over` is the last; a
///    bucket whose header is `full` is reduced meanwhile, by the communicators for buckets in turn;
/// 2. the vote: whether any rank has failed, and which weights any rank has touched; if one has failed, all
///    ranks exchange their reasons, and the sequence ends;
/// 3. what the buckets have not exchanged of touched weights: numbers, then rows;
/// 4. whether any rank has failed to prepare its steps; if one has, the reasons.
///
/// A program beside the pass exchanges buckets until the pass takes over at its end.
class RankExchange final : public extend::Exchange, public std::enable_shared_from_this<RankExchange> {
 public:
  /// The clock of the pass must outlive it.
  RankExchange(std::shared_ptr<ReplicaGroup> group, double weight, Clock& clock);

  /// Takes the next turn, and waits until the lane is free. Fails with the error of a lane that is broken.
  Do<void> begin();
  /// The end of the scope of a pass: takes part as a failed pass in the steps that have not been taken.
  Do<void> end();
  /// Takes part in a pass as a rank that has left.
  Do<void> leave();

  void complete(extend::PassGradients pass, extend::WeightId weight) noexcept override;
  Do<double> settle(extend::PassGradients pass, std::exception_ptr failure) override;
  Do<void> agree(std::exception_ptr failure) override;

 private:
  /// The greatest counts. The values differ from those by which ranks agree, 0 and 1.
  enum BucketState : std::uint64_t { full = 16, incomplete, over };

  /// The result of a vote: the sum of the ranks' weights, and the weights of the model that a rank touched.
  struct Outcome {
    double weight = 0;
    std::vector<std::uint8_t> touched;
  };

  /// Waits until the lane is free; sets broken_ if an earlier pass has broken the lane.
  Do<void> awaitLane();
  /// Takes part as a failed pass, since the executor of the pass has refused it, and other ranks wait.
  void endBeside(const std::exception_ptr& error);
  const AnyCommunicator& votes() const noexcept { return group_->lane(turn_.lane).votes; }
  std::uint64_t stateOf(const Bucket& bucket) const noexcept;
  /// Exchanges the header; yields whether the bucket is full on all ranks.
  Do<bool> exchangeHeader(std::size_t bucket);
  /// Waits for all earlier buckets of the bucket's communicator. Buckets that are not full complete at once,
  /// even while earlier buckets are under way.
  Do<void> awaitRoom(std::size_t bucket);
  /// Adds up the bucket when the earlier buckets of its communicator have ended; reports this to the observer
  /// of `pass`, if given.
  Do<void> reduce(std::size_t bucket, const std::optional<extend::PassGradients>& pass);
  /// Starts a program beside the pass. It may outlive the pass for a moment, in which it does nothing.
  void runBeside(const Do<void>& program);
  Do<void> exchangeBeside(std::size_t bucket, extend::PassGradients pass);
  /// Takes over from the program beside the pass, and exchanges the other buckets.
  Do<void> exchangeRemaining();
  Do<void> exchangeFrom(std::size_t bucket);
  /// Waits for the buckets that the program beside the pass has begun.
  Do<void> awaitBuckets(std::size_t first = 0);
  /// For the program beside the pass: claims a bucket unless the pass has taken over; tells that it is done,
  /// and whether the pass has taken over.
  bool claim(std::size_t bucket);
  bool isTaken();
  Do<void> takeOver();

  /// Reports the beginning and the end of an exchange to the observer of the pass, if there is one.
  template <class A>
  static Do<A> told(const std::optional<extend::PassGradients>& pass, std::string name, Do<A> program) {
    using Event = PassObserver::Event;
    if (!pass || !pass->isObserved()) return program;
    const auto tell = [pass, name = std::move(name)](Event event) { pass->tell(event, name); };
    return Do<void>::delay([tell] { tell(Event::exchange); })
        .flatMap([program = std::move(program)] { return program.attempt(); })
        .map([tell](const Try<A>& end) {
          tell(Event::exchanged);
          return Try<A>(end).valueOrThrow();
        });
  }
  /// The collective; its error breaks the lane.
  template <class A>
  Do<A> onLane(const Do<A>& collective) {
    return collective.handleError([this](const std::exception_ptr& error) {
      breakLane(error);
      return Do<A>::raiseError(error);
    });
  }
  /// Step 2.
  Do<Outcome> vote();
  /// Fails with the error of this rank, or with the reasons of others.
  Do<void> failTogether();
  void putReduced(extend::PassGradients pass) const;

  /// Records the error, of which the first counts, and ends the wait for buckets.
  void fail(const std::exception_ptr& error) noexcept;
  /// The same for an error of the communicator, which fails all later passes of the lane.
  void breakLane(const std::exception_ptr& error) noexcept;
  void endBuckets() noexcept;
  std::exception_ptr error() const;

  const std::shared_ptr<ReplicaGroup> group_;
  Clock& clock_;
  const double weight_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  ///< of each weight: its bucket and its slot
  std::deque<Bucket> buckets_;
  std::vector<std::uint8_t> touched_;
  PassTurn turn_;
  std::optional<extend::PassGradients> pass_;  ///< from settle until the end of the pass
  Event handedOver_;
  bool ends_ = false, leaves_ = false, voted_ = false, failedTogether_ = false, agreed_ = false;
  std::atomic<bool> failed_{false}, broken_{false}, isOver_{false};
  mutable std::mutex mutex_;  ///< guards the members below
  std::size_t claimed_ =
      0;               ///< the buckets that the program beside the pass has claimed; constant when taken
  bool busy_ = false;  ///< whether it is exchanging the header of the last of these
  bool taken_ = false;
  std::exception_ptr error_;
};

}  // namespace tapestry::detail
