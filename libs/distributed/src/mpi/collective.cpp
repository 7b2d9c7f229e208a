#include <algorithm>

#include "mpi/group.hpp"

namespace tapestry::detail {

namespace {

constexpr std::size_t callWords = 5;

}  // namespace

std::string mpiErrorText(int code) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  return std::string(text, static_cast<std::size_t>(length));
}

void checkMpi(int code, const char* function) {
  if (code == MPI_SUCCESS) return;
  throw MpiCallError(std::string("tapestry::MpiCommunicator: MPI has failed, got '") + mpiErrorText(code) +
                     "' of " + function + ", expected success");
}

MpiCollective::MpiCollective(std::shared_ptr<MpiGroup> itsGroup, const CollectiveCall& itsCall, int lastPhase)
    : group(std::move(itsGroup)),
      call(itsCall),
      lastPhase_(lastPhase),
      phase_(group->engine->options.compareCalls ? -1 : 0) {}

bool MpiCollective::poll() { return group->poll(*this); }

bool MpiCollective::step() {
  begun_ = true;
  for (;;) {
    if (posted_) {
      if (!isPhaseOver()) return false;
      posted_ = false;
      requests_.clear();
      if (phase_++ == -1) compareCalls();
    }
    if (failure) phase_ = lastPhase_ + 1;
    if (phase_ > lastPhase_) return true;
    if (phase_ == -1) {
      calls_.resize(callWords * group->size);
      const std::uint64_t mine[] = {static_cast<std::uint64_t>(call.kind),
                                    static_cast<std::uint64_t>(call.element),
                                    static_cast<std::uint64_t>(call.op), call.count, call.root};
      std::copy(std::begin(mine), std::end(mine), calls_.begin() + std::ptrdiff_t(callWords * group->rank));
      checkMpi(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, calls_.data(), callWords, MPI_UINT64_T,
                              group->comm, &newRequest()),
               "MPI_Iallgather");
    } else {
      post(phase_);
    }
    posted_ = true;
  }
}

bool MpiCollective::isPhaseOver() {
  int over = 1;
  if (!requests_.empty())
    checkMpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &over, MPI_STATUSES_IGNORE),
             "MPI_Testall");
  return over != 0;
}

void MpiCollective::compareCalls() {
  const auto callOf = [&](std::size_t rank) {
    const std::uint64_t* const words = calls_.data() + callWords * rank;
    return CollectiveCall{static_cast<CollectiveKind>(words[0]), static_cast<ElementType>(words[1]),
                          static_cast<ReduceOp>(words[2]), words[3], words[4]};
  };
  failure = mismatchAmong(group->size, callOf);
}

}  // namespace tapestry::detail
