// Defines checkpoint, by which rank 0 saves the replicas.
#pragma once

#include <filesystem>

#include "tapestry/deeplearning/storage/save.hpp"
#include "tapestry/distributed/replicas.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Rank 0 saves the weights and the state of their optimizers, as save(path, weights, options) does, on a
/// thread for blocking calls. All ranks call it, between passes, and complete when the file is on the disk.
/// If rank 0 fails, it fails with the error of save, and the others with a RankError. To resume with any
/// number of ranks, rank 0 calls load(path, model) before replicate.
[[nodiscard("a program does nothing until it is run")]] Do<void> checkpoint(std::filesystem::path path,
                                                                            const Replicas& replicas,
                                                                            SaveOptions options = {});

}  // namespace tapestry
#pragma GCC visibility pop
