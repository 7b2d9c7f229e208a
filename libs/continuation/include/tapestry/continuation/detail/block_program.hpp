// Defines BlockProgram, the program made from a block of direct style.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/program_operations.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The program whose runs are Blocks.
template <class Block>
class [[nodiscard("a program does nothing until it is run")]] BlockProgram
    : public ProgramOperations<BlockProgram<Block>> {
  using Function = typename Block::Function;

 public:
  using ValueType = typename Block::ValueType;

  BlockProgram(Function function, Location location) : function_(std::move(function)), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    if (!run.stopIfRequested()) (new Block(function_, location_))->begin(run);
  }

 private:
  Function function_;
  Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
