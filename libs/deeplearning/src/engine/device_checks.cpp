#include "tapestry/deeplearning/detail/pass/device_checks.hpp"

#include <memory>
#include <utility>

namespace tapestry::detail {

std::unique_ptr<Update> afterwards(Do<void> program, std::unique_ptr<Update> update) {
  if (update->awaited) program = program.flatMap([next = *update->awaited] { return next; });
  return updateBy([update = std::move(update)] { update->commit(); }, std::move(program));
}

}  // namespace tapestry::detail
