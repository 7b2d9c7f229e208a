// A program that checks the errors of calls before, during and after the lifetime of MPI, or, with the name
// of a variable of the environment that says 2, the error of a process that another MPI has started. Prints
// what is wrong.
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "tapestry/distributed/mpi/mpi_world.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;

namespace {

int wrong = 0;

/// Whether the function throws a std::logic_error with the text.
template <class F>
void expectError(const std::string& expected, const F& function) {
  std::string got = "none";
  try {
    function();
  } catch (const std::logic_error& error) {
    got = error.what();
  }
  if (got == expected) return;
  ++wrong;
  std::printf("got '%s', expected '%s'\n", got.c_str(), expected.c_str());
}

void startedByAnother(const std::string& variable) {
  expectError("tapestry::MpiWorld: MPI finds no other rank, got 1 rank where " + variable +
                  " is 2, expected the mpirun of the MPI that the program is linked with",
              [] { MpiWorld world; });
  expectError("tapestry::MpiWorld: MPI is already finalised, expected one MpiWorld in the life of a process",
              [] { MpiWorld again; });
}

void lifetime() {
  expectError("tapestry::MpiWorld::current: MPI was not initialised, expected an MpiWorld that exists",
              [] { MpiWorld::current(); });
  expectError(
      "tapestry::MpiWorld: one thread alone may call MPI, got MPI_THREAD_FUNNELED without an executor, "
      "expected "
      "MpiOptions with an executor of this thread",
      [] {
        MpiOptions options;
        options.threads = MpiThreads::funneled;
        MpiWorld world(options);
      });
  std::optional<MpiCommunicator> all;
  {
    const MpiWorld world;
    all = MpiWorld::current();
    expectError(
        "tapestry::MpiWorld: MPI is already initialised, expected one MpiWorld in the life of a process",
        [] { MpiWorld second; });
    all->barrier().blockingAwait();
  }
  expectError("tapestry::MpiWorld::current: MPI is already finalised, expected an MpiWorld that exists",
              [] { MpiWorld::current(); });
  expectError("tapestry::MpiWorld: MPI is already finalised, expected one MpiWorld in the life of a process",
              [] { MpiWorld again; });
  expectError("tapestry::MpiCommunicator: MPI is finalised, got allGather, expected an MpiWorld that exists",
              [&] { all->allGather({}).blockingAwait(); });
  expectError("tapestry::MpiCommunicator: MPI is finalised, got barrier, expected an MpiWorld that exists",
              [&] { all->barrier().blockingAwait(); });
  expectError("tapestry::MpiCommunicator: MPI is finalised, got receive, expected an MpiWorld that exists",
              [&] { all->receive(0, 0).blockingAwait(); });
}

}  // namespace

int main(int count, char** arguments) {
  count > 1 ? startedByAnother(arguments[1]) : lifetime();
  return wrong == 0 ? 0 : 1;
}
