#include "tapestry/distributed/checkpoint.hpp"

#include "replicas/compare_models.hpp"

namespace tapestry {

Do<void> checkpoint(std::filesystem::path path, const Replicas& replicas, SaveOptions options) {
  const auto saved = replicas.rank() == 0 ? saving(path, replicas.weights(), options) : Do<void>::now();
  return detail::together(replicas.communicator(), saved, "checkpoint");
}

}  // namespace tapestry
