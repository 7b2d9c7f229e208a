// Defines Traversal, one rank's part of parTraverseRanks.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tapestry/concurrent/event.hpp"
#include "tapestry/distributed/any_communicator.hpp"
#include "tapestry/distributed/wire.hpp"

namespace tapestry::detail {

/// The messages to rank 0.
enum class TraverseReport : std::uint8_t {
  idle,      ///< a lane asks for an element; the number is the size of the range
  finished,  ///< the number is the index
  failed,    ///< the number is the index; with a text
  stopped,   ///< the rank was asked to stop
  alive,     ///< nothing new
  last       ///< the rank sends no more
};
using TraverseMessage = std::tuple<TraverseReport, std::uint64_t, std::string>;

/// The verdict that rank 0 sends to each rank. `ranks` and `text` are empty for success.
struct TraverseVerdict {
  std::vector<std::size_t> ranks = {};  ///< at fault
  std::string text = {};
  bool areLost = false;  ///< the ranks were not heard from

  bool isSuccess() const noexcept { return text.empty(); }
};

inline constexpr int traverseUpTag = reservedTags;  ///< to rank 0
/// From rank 0: the index of an element, or nothing at the end, as one answer to each report that a lane is
/// idle; then the ranks that were lost.
inline constexpr int traverseWorkTag = reservedTags + 1;
inline constexpr int traverseControlTag = reservedTags + 2;  ///< from rank 0: a verdict, or nothing new

/// Hands out the elements on rank 0.
class TraverseRoot : public std::enable_shared_from_this<TraverseRoot> {
 public:
  TraverseRoot(AnyCommunicator communicator, std::size_t count);
  /// Ends when all ranks have sent their last messages, or are lost.
  Do<void> run();

 private:
  /// Receives and handles the next message.
  Do<void> next();
  Do<void> report(std::size_t from, const TraverseMessage& message);
  Do<void> handOut(std::size_t to, std::uint64_t countThere);
  Do<void> answer(std::size_t to, std::optional<std::uint64_t> index);
  Do<void> judge(TraverseVerdict verdict);
  /// Judges when all elements have ended and all ranks have come.
  Do<void> judgeSuccess();
  /// Sends the verdict, and answers the idle lanes.
  Do<void> endRank(std::size_t to);
  Do<void> tick();

  const AnyCommunicator communicator_;
  const std::size_t count_;
  std::mutex mutex_;  ///< guards the members below; no program runs under it
  std::size_t next_ = 0;
  std::size_t finished_ = 0;
  struct Rank {
    std::size_t idleLanes = 0;  ///< those without an answer
    int silentTicks = 0;
    bool came = false, ended = false;
  };
  std::vector<Rank> ranks_;
  std::optional<TraverseVerdict> verdict_;
  TraverseVerdict lost_;  ///< of the loop of ticks, then constant
};

/// Runs elements on a rank. All of it is masked but the elements.
class Traversal : public std::enable_shared_from_this<Traversal> {
 public:
  using Body = std::function<Do<Bytes>(std::size_t)>;
  Traversal(AnyCommunicator communicator, std::size_t count, std::size_t limit, Body body)
      : communicator_(std::move(communicator)), count_(count), limit_(limit), body_(std::move(body)) {}

  Do<std::vector<Bytes>> run();

 private:
  using Result = std::pair<std::uint64_t, Bytes>;

  /// Runs the elements, and meanwhile listens for a request to stop.
  Do<void> work();
  Do<void> main();
  /// Runs elements until rank 0 has no more.
  Do<void> lane();
  Do<void> element(std::size_t index);
  Do<void> tell(TraverseReport report, std::uint64_t number, std::string text = {});
  /// Waits until rank 0 reads no more messages of this traversal.
  Do<void> end();
  /// Waits for the verdict, and meanwhile reports that this rank is alive.
  Do<void> watch();
  /// Waits for rank 0's next word other than that it is alive.
  Do<TraverseVerdict> hear();
  Do<void> exchange();
  /// The message of rank 0, or a RankError.
  Do<Message> inTime(const Do<Message>& receive);
  /// If a rank is lost, lets a collective fail, which breaks the communicator; then fails with the error.
  Do<void> failWith(const std::exception_ptr& error);
  /// Whether the verdict names this rank as lost. Precondition: locked.
  bool isLost() const {
    return verdict_ && verdict_->areLost &&
           std::ranges::find(verdict_->ranks, communicator_.rank()) != verdict_->ranks.end();
  }
  /// Notifies rank 0 if the run is asked to stop before this is over.
  Do<Try<void>> tellStop();

  const AnyCommunicator communicator_;
  const std::size_t count_;
  const std::size_t limit_;
  const Body body_;
  const Event failed_;  ///< elements are asked to stop
  const Event asked_;   ///< this run is asked to stop
  const Event over_;
  const Event told_;  ///< no `stopped` is sent from here on
  std::mutex mutex_;  ///< guards the members below
  std::optional<TraverseVerdict> verdict_;
  bool isRootLost_ = false;
  std::vector<Result> own_;
  std::vector<Bytes> all_;
};

/// The time between two messages that show that a rank is alive.
inline Clock::Duration aliveInterval(const AnyCommunicator& communicator) {
  return communicator.timeLimit() / 4;
}

}  // namespace tapestry::detail

template <>
struct tapestry::Wire<tapestry::detail::TraverseVerdict> {
  static void write(ByteWriter& to, const detail::TraverseVerdict& value) {
    to(value.ranks);
    to(value.text);
    to(value.areLost);
  }
  static detail::TraverseVerdict read(ByteReader& from) {
    auto ranks = from.read<std::vector<std::size_t>>();
    auto text = from.read<std::string>();
    return {std::move(ranks), std::move(text), from.read<bool>()};
  }
};
