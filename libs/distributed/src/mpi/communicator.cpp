#include <stdexcept>
#include <utility>

#include "mpi/collectives.hpp"
#include "mpi/messages.hpp"
#include "tapestry/raii/on.hpp"

namespace tapestry {

namespace detail {

namespace {

using MpiGroupRef = std::shared_ptr<MpiGroup>;

void checkExists(const MpiGroup& group, const std::string& operation) {
  if (group.engine->isFinalized)
    throw std::logic_error("tapestry::MpiCommunicator: MPI is finalised, got " + operation +
                           ", expected an MpiWorld that exists");
}

/// Calls the function on a thread that may call MPI.
template <class F>
Do<void> callingMpi(const MpiGroupRef& group, F function) {
  const auto calling = Do<void>::delay(std::move(function));
  if (group->engine->threads != MpiThreads::funneled) return calling;
  return on(*group->engine->options.executor, calling);
}

/// Yields the collective that make() has made, when it has ended.
template <class F>
auto mpiCollective(const MpiGroupRef& group, F make) {
  return maskedAtPlace([group, make](const RunPlace& place) -> Do<std::invoke_result_t<const F&>> {
    const auto collective = make();
    checkExists(*group, nameOf(collective->call));
    return callingMpi(group, [group, collective, place] { group->start(collective, place.executor); })
        .flatMap([collective] {
          return extend::waitFor<void, PendingWaiter>(collective, waitNameOf(collective->call.kind),
                                                      extend::Location{});
        })
        .map([collective] { return collective; });
  });
}

Do<std::vector<Bytes>> mpiGather(const MpiGroupRef& group, const CollectiveCall& call, Bytes bytes) {
  return mpiCollective(group,
                       [group, call, bytes = std::move(bytes)] {
                         checkRank("gather", call.root, group->size);
                         return std::make_shared<MpiGather>(group, call, bytes);
                       })
      .map([](const std::shared_ptr<MpiGather>& collective) { return collective->take(); });
}

}  // namespace

}  // namespace detail

std::size_t MpiCommunicator::rank() const noexcept { return group_->rank; }
std::size_t MpiCommunicator::size() const noexcept { return group_->size; }
Clock::Duration MpiCommunicator::timeLimit() const noexcept { return group_->engine->options.timeLimit; }

Do<void> MpiCommunicator::allReduce(ReducedElements values, ReduceOp op,
                                    std::shared_ptr<const void> owner) const {
  if (size() == 1) return Do<void>::delay([group = group_] { detail::checkExists(*group, "allReduce"); });
  const bool isInPlace = owner != nullptr;
  const std::span<std::byte> bytes = detail::bytesOf(values);
  return detail::mpiCollective(
             group_,
             [group = group_, call = detail::reductionOf(values, op), bytes, owner = std::move(owner)] {
               return std::make_shared<detail::MpiAllReduce>(group, call, bytes, owner);
             })
      .map([bytes, isInPlace](const std::shared_ptr<detail::MpiAllReduce>& collective) {
        if (!isInPlace) std::ranges::copy(collective->values(), bytes.begin());
      });
}

Do<Bytes> MpiCommunicator::broadcast(Bytes bytes, std::size_t root) const {
  return detail::mpiCollective(group_,
                               [group = group_, bytes = std::move(bytes), root] {
                                 detail::checkRank("broadcast", root, group->size);
                                 return std::make_shared<detail::MpiBroadcast>(
                                     group, root == group->rank ? bytes : Bytes(), root);
                               })
      .map([](const std::shared_ptr<detail::MpiBroadcast>& collective) { return collective->take(); });
}

Do<std::vector<Bytes>> MpiCommunicator::gather(Bytes bytes, std::size_t root) const {
  return detail::mpiGather(group_, {.kind = detail::CollectiveKind::gather, .root = root}, std::move(bytes));
}
Do<std::vector<Bytes>> MpiCommunicator::allGather(Bytes bytes) const {
  return detail::mpiGather(group_, {.kind = detail::CollectiveKind::allGather}, std::move(bytes));
}

Do<void> MpiCommunicator::barrier() const {
  if (size() == 1) return Do<void>::delay([group = group_] { detail::checkExists(*group, "barrier"); });
  return detail::mpiCollective(group_,
                               [group = group_] { return std::make_shared<detail::MpiBarrier>(group); })
      .map([](const std::shared_ptr<detail::MpiBarrier>&) {});
}

Do<MpiCommunicator> MpiCommunicator::split(std::size_t color) const {
  return detail::mpiCollective(
             group_, [group = group_, color] { return std::make_shared<detail::MpiSplit>(group, color); })
      .map([](const std::shared_ptr<detail::MpiSplit>& collective) {
        return MpiCommunicator(collective->part());
      });
}

Do<void> MpiCommunicator::send(Bytes bytes, std::size_t to, int tag) const {
  const auto begin = [group = group_, bytes = std::move(bytes), to, tag](const detail::RunPlace& place) {
    return detail::callingMpi(group, [group, bytes, to, tag, place] {
      detail::checkExists(*group, "send");
      detail::checkRank("send", to, group->size);
      detail::checkTag("send", tag);
      const auto sending = std::make_shared<detail::MpiSend>(group, bytes);
      sending->start(to, tag);
      if (!sending->poll()) group->engine->add(sending, place.executor);
    });
  };
  return tapestry::lift(detail::CurrentPlace()).flatMap(begin);
}

Do<Message> MpiCommunicator::receive(std::optional<std::size_t> from, int tag) const {
  const auto begin = [group = group_, from, tag](const detail::RunPlace& place) {
    detail::checkExists(*group, "receive");
    if (from) detail::checkRank("receive", *from, group->size);
    detail::checkTag("receive", tag);
    const auto receiving = std::make_shared<detail::MpiReceive>(group, from, tag);
    // owned by the run alone, whose end leaves the receive, wherever the run stops
    const auto claim = std::shared_ptr<detail::MpiReceive>(
        receiving.get(), [receiving](detail::MpiReceive*) { receiving->leave(); });
    // tested by the engine alone, since a run that is asked to stop meanwhile takes no message
    group->engine->add(receiving, place.executor);
    return extend::waitFor<Message, detail::MpiReceiving>(claim, "Communicator::receive", extend::Location{});
  };
  return tapestry::lift(detail::CurrentPlace()).flatMap(begin);
}

}  // namespace tapestry
