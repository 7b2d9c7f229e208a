#include "tapestry/distributed/mpi/mpi_world.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include "mpi/group.hpp"

namespace tapestry {

namespace {

constexpr auto closingInterval = std::chrono::microseconds(200);
/// The time that a rank waits for the other ranks at its end before it notifies them that it leaves.
constexpr auto closingPatience = std::chrono::milliseconds(100);

/// How long messages may then be under way.
constexpr auto closingLimit = std::chrono::seconds(1);

std::mutex currentMutex;
MpiWorld* currentWorld = nullptr;  ///< guarded by currentMutex

/// MPI_THREAD_FUNNELED was asked for, or is what MPI gives.
[[noreturn]] void throwNoExecutor() {
  throw std::logic_error(
      "tapestry::MpiWorld: one thread alone may call MPI, got MPI_THREAD_FUNNELED without an executor, "
      "expected "
      "MpiOptions with an executor of this thread");
}

void checkNotInitialised() {
  int is = 0;
  MPI_Finalized(&is);
  if (is)
    throw std::logic_error(
        "tapestry::MpiWorld: MPI is already finalised, expected one MpiWorld in the life of a process");
  MPI_Initialized(&is);
  if (is)
    throw std::logic_error(
        "tapestry::MpiWorld: MPI is already initialised, expected one MpiWorld in the life of a process");
}

/// The mpirun of another MPI starts processes that do not find each other; each process would be a world of
/// one rank.
void checkStarted() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 1) return;
  // what the mpirun of Open MPI, and the mpiexec of MPICH and its like, tell the processes that they start
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const started = std::getenv(name);
    if (!started || std::strtoul(started, nullptr, 10) <= 1) continue;
    const std::string message =
        std::string("tapestry::MpiWorld: MPI finds no other rank, got 1 rank where ") + name + " is " +
        started + ", expected the mpirun of the MPI that the program is linked with";
    MPI_Finalize();
    throw std::logic_error(message);
  }
}

/// Initialises MPI, and returns the threads that may call it.
MpiThreads initialise(const MpiOptions& options) {
  checkNotInitialised();
  if (options.threads == MpiThreads::funneled && !options.executor) throwNoExecutor();
  static constexpr int levels[] = {MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
  int given = 0;
  const int wanted = levels[static_cast<int>(options.threads)];
  detail::checkMpi(MPI_Init_thread(nullptr, nullptr, wanted, &given), "MPI_Init_thread");
  checkStarted();
  // MPI may give more than was asked for
  given = std::min(given, wanted);
  if (given >= MPI_THREAD_MULTIPLE) return MpiThreads::multiple;
  if (given >= MPI_THREAD_SERIALIZED) return MpiThreads::serialized;
  if (options.executor) return MpiThreads::funneled;
  MPI_Finalize();
  throwNoExecutor();
}

MPI_Comm duplicateOfWorld() {
  MPI_Comm comm = MPI_COMM_NULL;
  detail::checkMpi(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "MPI_Comm_dup");
  detail::checkMpi(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return comm;
}

/// Waits until all ranks are here; returns false if a collective has failed on any of them.
bool meetOthers(detail::MpiEngine& engine) {
  MPI_Request meeting = MPI_REQUEST_NULL;
  {
    const auto mpi = engine.lockMpi();
    MPI_Ibarrier(MPI_COMM_WORLD, &meeting);
  }
  const auto begin = std::chrono::steady_clock::now();
  bool hasTold = false;
  for (;;) {
    int all = 0;
    {
      const auto mpi = engine.lockMpi();
      MPI_Test(&meeting, &all, MPI_STATUS_IGNORE);
    }
    if (all) return true;
    if (!hasTold && std::chrono::steady_clock::now() - begin > closingPatience) {
      hasTold = true;
      for (const auto& group : engine.groups()) group->tellLeaving();
    }
    for (const auto& group : engine.groups())
      if (group->failed()) return false;
    std::this_thread::sleep_for(closingInterval);
  }
}

/// Waits until no messages are under way; returns false if that takes too long.
bool endTests(detail::MpiEngine& engine) {
  const auto begin = std::chrono::steady_clock::now();
  while (!engine.isIdle()) {
    if (std::chrono::steady_clock::now() - begin > closingLimit) return false;
    std::this_thread::sleep_for(closingInterval);
  }
  return true;
}

}  // namespace

MpiWorld::MpiWorld(MpiOptions options) {
  const MpiThreads threads = initialise(options);
  engine_ = std::make_shared<detail::MpiEngine>(threads, options);
  group_ = std::make_shared<detail::MpiGroup>(engine_, duplicateOfWorld());
  engine_->addGroup(group_);
  const std::lock_guard lock(currentMutex);
  currentWorld = this;
}

MpiWorld::~MpiWorld() {
  {
    const std::lock_guard lock(currentMutex);
    currentWorld = nullptr;
  }
  engine_->isFinalized = true;
  const auto anyFailed = [&] { return engine_->isBroken.load(); };
  if (anyFailed() || !meetOthers(*engine_) || !endTests(*engine_) || anyFailed()) return;
  MPI_Finalize();
  engine_->dropGroups();
}

MpiCommunicator MpiWorld::communicator() const noexcept { return MpiCommunicator(group_); }
MpiThreads MpiWorld::threads() const noexcept { return engine_->threads; }

MpiCommunicator MpiWorld::current() {
  const std::lock_guard lock(currentMutex);
  if (currentWorld) return currentWorld->communicator();
  int is = 0;
  MPI_Finalized(&is);
  throw std::logic_error(std::string("tapestry::MpiWorld::current: MPI ") +
                         (is ? "is already finalised" : "was not initialised") +
                         ", expected an MpiWorld that exists");
}

}  // namespace tapestry
