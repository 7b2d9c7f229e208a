#include "collective_call.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/distributed/rank_error.hpp"

namespace tapestry::detail {

namespace {

std::string nameOfReduction(const CollectiveCall& call) {
  static constexpr const char* ops[] = {"sum", "minimum", "maximum"};
  static constexpr const char* elements[] = {"elements", "floats", "doubles", "integers"};
  return std::string("allReduce (") + ops[static_cast<int>(call.op)] + " of " + std::to_string(call.count) +
         " " + elements[static_cast<int>(call.element)] + ")";
}

template <class T>
void reduceElements(std::span<std::byte> result, std::span<const std::byte> values, ReduceOp op) {
  T* const to = reinterpret_cast<T*>(result.data());
  const T* const from = reinterpret_cast<const T*>(values.data());
  const std::size_t count = result.size() / sizeof(T);
  switch (op) {
    case ReduceOp::sum:
      for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
      return;
    case ReduceOp::min:
      for (std::size_t i = 0; i < count; ++i) to[i] = std::min(to[i], from[i]);
      return;
    case ReduceOp::max:
      for (std::size_t i = 0; i < count; ++i) to[i] = std::max(to[i], from[i]);
  }
}

}  // namespace

std::exception_ptr Failure::toException() const {
  switch (kind) {
    case Kind::rank:
      return std::make_exception_ptr(RankError(text, ranks));
    case Kind::argument:
      return std::make_exception_ptr(std::invalid_argument(text));
    case Kind::system:
      break;
  }
  return std::make_exception_ptr(std::runtime_error(text));
}

std::string nameOf(const CollectiveCall& call) {
  if (call.kind == CollectiveKind::allReduce) return nameOfReduction(call);
  const std::string name = waitNameOf(call.kind) + sizeof "Communicator::" - 1;
  const bool hasRoot = call.kind == CollectiveKind::broadcast || call.kind == CollectiveKind::gather;
  return hasRoot ? name + " (root " + std::to_string(call.root) + ")" : name;
}

const char* waitNameOf(CollectiveKind kind) noexcept {
  static constexpr const char* names[] = {"Communicator::allReduce", "Communicator::broadcast",
                                          "Communicator::gather",    "Communicator::allGather",
                                          "Communicator::barrier",   "Communicator::split"};
  return names[static_cast<int>(kind)];
}

std::string nameOfRanks(const std::vector<std::size_t>& ranks) {
  std::string text = ranks.size() > 1 ? "ranks " : "rank ";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (i > 0) text += i + 1 == ranks.size() ? " and " : ", ";
    text += std::to_string(ranks[i]);
  }
  return text;
}

std::string secondsOf(Clock::Duration duration) {
  char text[40];
  std::snprintf(text, sizeof text, "%g s", std::chrono::duration<double>(duration).count());
  return text;
}

std::string textOf(const std::exception_ptr& error) {
  const auto* const known = errorAs<std::exception>(error);
  return known ? known->what() : "an exception of an unknown type";
}

CollectiveCall reductionOf(const ReducedElements& values, ReduceOp op) {
  const auto count = std::visit([](auto span) { return span.size(); }, values);
  return {CollectiveKind::allReduce, static_cast<ElementType>(values.index() + 1), op, count, 0};
}

std::span<std::byte> bytesOf(const ReducedElements& values) {
  return std::visit([](auto span) { return std::as_writable_bytes(span); }, values);
}

void reduceInto(std::span<std::byte> result, std::span<const std::byte> values, ElementType element,
                ReduceOp op) {
  switch (element) {
    case ElementType::float32:
      return reduceElements<float>(result, values, op);
    case ElementType::float64:
      return reduceElements<double>(result, values, op);
    case ElementType::uint64:
      return reduceElements<std::uint64_t>(result, values, op);
    case ElementType::none:
      return;
  }
}

void checkTag(const char* operation, int tag) {
  if (tag >= 0 && tag <= lastTag) return;
  throw std::invalid_argument(std::string("tapestry::Communicator::") + operation +
                              ": the tag is out of range, got " + std::to_string(tag) + ", expected 0 to " +
                              std::to_string(lastTag));
}

void checkRank(const char* operation, std::size_t rank, std::size_t size) {
  if (rank < size) return;
  throw std::invalid_argument(std::string("tapestry::Communicator::") + operation +
                              ": there is no such rank, got " + std::to_string(rank) +
                              ", expected less than " + std::to_string(size));
}

}  // namespace tapestry::detail
