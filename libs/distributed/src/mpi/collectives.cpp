#include "mpi/collectives.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <set>
#include <thread>

namespace tapestry::detail {

namespace {

/// An operation of MPI has at most 2^31 - 1 elements; longer buffers are cut.
constexpr std::size_t mostElements = std::size_t{1} << 30;

MPI_Datatype mpiTypeOf(ElementType element) {
  const MPI_Datatype types[] = {MPI_BYTE, MPI_FLOAT, MPI_DOUBLE, MPI_UINT64_T};
  return types[static_cast<int>(element)];
}

MPI_Op mpiOpOf(ReduceOp op) {
  const MPI_Op ops[] = {MPI_SUM, MPI_MIN, MPI_MAX};
  return ops[static_cast<int>(op)];
}

/// Whether parts are exchanged faster than the whole: Open MPI's MPI_Iallreduce takes twice as long for two
/// ranks, since it reduces to one of them.
bool isWorthCutting(const MpiGroup& group, const CollectiveCall& call, std::size_t bytes) {
#ifdef OPEN_MPI
  constexpr std::size_t leastBytes = 32 * 1024, mostRanks = 16;
  return bytes >= leastBytes * group.size / 2 && group.size <= mostRanks && call.count <= mostElements;
#else
  return static_cast<void>(group), static_cast<void>(call), static_cast<void>(bytes), false;
#endif
}

}  // namespace

MpiAllReduce::MpiAllReduce(std::shared_ptr<MpiGroup> itsGroup, const CollectiveCall& itsCall,
                           std::span<std::byte> values, std::shared_ptr<const void> owner)
    : MpiCollective(itsGroup, itsCall, isWorthCutting(*itsGroup, itsCall, values.size()) ? 1 : 0),
      isCut_(isWorthCutting(*itsGroup, itsCall, values.size())),
      owner_(std::move(owner)) {
  if (!owner_) copy_.assign(values.begin(), values.end());
  values_ = owner_ ? values : std::span<std::byte>(copy_);
}

void MpiAllReduce::post(int phase) {
  if (!isCut_) return postWhole();
  if (phase == 0) return scatterParts();
  reducePart();
  gatherParts();
}

void MpiAllReduce::postWhole() {
  for (std::size_t begin = 0; begin < call.count; begin += mostElements)
    checkMpi(MPI_Iallreduce(MPI_IN_PLACE, values_.data() + begin * width(),
                            static_cast<int>(std::min(mostElements, call.count - begin)),
                            mpiTypeOf(call.element), mpiOpOf(call.op), group->comm, &newRequest()),
             "MPI_Iallreduce");
}

std::span<std::byte> MpiAllReduce::ownPart() const noexcept {
  return values_.subspan(static_cast<std::size_t>(begins_[group->rank]) * width(),
                         static_cast<std::size_t>(counts_[group->rank]) * width());
}

void MpiAllReduce::scatterParts() {
  for (std::size_t part = 0; part < group->size; ++part) {
    const std::size_t begin = call.count * part / group->size;
    begins_.push_back(static_cast<int>(begin));
    counts_.push_back(static_cast<int>(call.count * (part + 1) / group->size - begin));
  }
  const std::size_t size = ownPart().size() * group->size;
  received_ = Tensor<float>::uninitialized({(size + sizeof(float) - 1) / sizeof(float)});
  for (std::size_t from = 0; from < group->size; ++from) {
    receivedCounts_.push_back(counts_[group->rank]);
    receivedBegins_.push_back(static_cast<int>(from) * counts_[group->rank]);
  }
  checkMpi(MPI_Ialltoallv(values_.data(), counts_.data(), begins_.data(), mpiTypeOf(call.element),
                          received_.exclusiveData(), receivedCounts_.data(), receivedBegins_.data(),
                          mpiTypeOf(call.element), group->comm, &newRequest()),
           "MPI_Ialltoallv");
}

void MpiAllReduce::reducePart() {
  const auto own = ownPart();
  const auto received = std::as_bytes(received_.values());
  std::ranges::copy(received.first(own.size()), own.begin());
  for (std::size_t from = 1; from < group->size; ++from)
    reduceInto(own, received.subspan(from * own.size(), own.size()), call.element, call.op);
}

void MpiAllReduce::gatherParts() {
  checkMpi(MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values_.data(), counts_.data(), begins_.data(),
                           mpiTypeOf(call.element), group->comm, &newRequest()),
           "MPI_Iallgatherv");
}

void MpiBarrier::post(int) { checkMpi(MPI_Ibarrier(group->comm, &newRequest()), "MPI_Ibarrier"); }

MpiBroadcast::MpiBroadcast(std::shared_ptr<MpiGroup> itsGroup, Bytes bytes, std::size_t root)
    : MpiCollective(std::move(itsGroup), CollectiveCall{.kind = CollectiveKind::broadcast, .root = root}, 1),
      bytes_(std::move(bytes)),
      length_(bytes_.size()) {}

void MpiBroadcast::post(int phase) {
  const int root = static_cast<int>(call.root);
  if (phase == 0)
    return checkMpi(MPI_Ibcast(&length_, 1, MPI_UINT64_T, root, group->comm, &newRequest()), "MPI_Ibcast");
  bytes_.resize(length_);
  for (std::size_t begin = 0; begin < length_; begin += mostElements)
    checkMpi(MPI_Ibcast(bytes_.data() + begin, static_cast<int>(std::min(mostElements, length_ - begin)),
                        MPI_BYTE, root, group->comm, &newRequest()),
             "MPI_Ibcast");
}

MpiGather::MpiGather(std::shared_ptr<MpiGroup> itsGroup, const CollectiveCall& itsCall, Bytes bytes)
    : MpiCollective(std::move(itsGroup), itsCall, 1), bytes_(std::move(bytes)), lengths_(group->size) {
  lengths_[group->rank] = bytes_.size();
}

bool MpiGather::prepare() {
  std::uint64_t total = 0;
  for (const auto length : lengths_) {
    if (length > INT_MAX || total > INT_MAX) return false;
    counts_.push_back(static_cast<int>(length));
    begins_.push_back(static_cast<int>(total));
    total += length;
  }
  if (total > INT_MAX) return false;
  if (receives()) all_.resize(total);
  return true;
}

void MpiGather::post(int phase) {
  if (phase == 0)
    return checkMpi(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, lengths_.data(), 1, MPI_UINT64_T,
                                   group->comm, &newRequest()),
                    "MPI_Iallgather");
  if (!prepare()) {
    failure = Failure{Failure::Kind::argument, "tapestry::MpiCommunicator: " + nameOf(call) +
                                                   " has too many bytes, expected at most 2147483647 of all "
                                                   "ranks"};
    return;
  }
  const int mine = counts_[group->rank];
  if (call.kind == CollectiveKind::allGather)
    return checkMpi(MPI_Iallgatherv(bytes_.data(), mine, MPI_BYTE, all_.data(), counts_.data(),
                                    begins_.data(), MPI_BYTE, group->comm, &newRequest()),
                    "MPI_Iallgatherv");
  checkMpi(MPI_Igatherv(bytes_.data(), mine, MPI_BYTE, all_.data(), counts_.data(), begins_.data(), MPI_BYTE,
                        static_cast<int>(call.root), group->comm, &newRequest()),
           "MPI_Igatherv");
}

std::vector<Bytes> MpiGather::take() const {
  std::vector<Bytes> all;
  if (!receives()) return all;
  for (std::size_t rank = 0; rank < group->size; ++rank)
    all.emplace_back(all_.begin() + begins_[rank], all_.begin() + begins_[rank] + counts_[rank]);
  return all;
}

MpiSplit::MpiSplit(std::shared_ptr<MpiGroup> itsGroup, std::size_t color)
    : MpiCollective(std::move(itsGroup), CollectiveCall{.kind = CollectiveKind::split}, 2),
      colors_(group->size) {
  colors_[group->rank] = color;
}

int MpiSplit::colorNumber() const {
  const std::set<std::uint64_t> all(colors_.begin(), colors_.end());
  return static_cast<int>(std::distance(all.begin(), all.find(colors_[group->rank])));
}

void MpiSplit::post(int phase) {
  if (phase == 0)
    return checkMpi(MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, colors_.data(), 1, MPI_UINT64_T,
                                   group->comm, &newRequest()),
                    "MPI_Iallgather");
  splits_ = phase == 1;
  if (phase > 1) return;
  if (group->engine->threads != MpiThreads::multiple) return split();
  const auto self = std::static_pointer_cast<MpiSplit>(shared_from_this());
  std::thread([self] { self->split(); }).detach();
}

void MpiSplit::split() noexcept {
  MPI_Comm comm = MPI_COMM_NULL;
  const int code = MPI_Comm_split(group->comm, colorNumber(), static_cast<int>(group->rank), &comm);
  if (code != MPI_SUCCESS) {
    std::fprintf(stderr,
                 "tapestry::MpiCommunicator: MPI has failed, got '%s' of MPI_Comm_split, expected success\n",
                 mpiErrorText(code).c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);  // whether the other ranks have split is unknown
  }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  part_ = std::make_shared<MpiGroup>(group->engine, comm);
  group->engine->addGroup(part_);
  hasSplit_ = true;
}

bool MpiSplit::isPhaseOver() { return splits_ ? hasSplit_.load() : MpiCollective::isPhaseOver(); }

}  // namespace tapestry::detail
