#include "replicas/compare_models.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "replicas/vote.hpp"
#include "tapestry/deeplearning/storage/model_arrays.hpp"
#include "tapestry/distributed/model_mismatch.hpp"
#include "tapestry/distributed/wire.hpp"

namespace tapestry::detail {

namespace {

using Group = std::shared_ptr<ReplicaGroup>;
using Sentences = std::vector<std::string>;

template <class T>
using Arrays = std::vector<std::pair<std::string, Tensor<T>>>;
using Counts = std::vector<std::tuple<std::string, std::vector<std::size_t>, std::vector<std::int64_t>>>;
using ModelFields = std::tuple<Arrays<float>, Arrays<double>, Counts>;

ModelFields fieldsOf(const NamedArrays& model) {
  ModelFields fields;
  for (const auto& [key, array] : model.arrays) {
    const std::string& name = key;
    if (const auto* floats = std::get_if<Tensor<float>>(&array))
      std::get<0>(fields).emplace_back(name, *floats);
    if (const auto* doubles = std::get_if<Tensor<double>>(&array))
      std::get<1>(fields).emplace_back(name, *doubles);
    if (const auto* counts = std::get_if<Integers>(&array))
      std::get<2>(fields).emplace_back(
          name, std::vector<std::size_t>(counts->shape.begin(), counts->shape.end()), counts->values);
  }
  return fields;
}

NamedArrays arraysOf(ModelFields fields) {
  NamedArrays model;
  for (auto& [name, tensor] : std::get<0>(fields)) model.arrays.emplace(name, std::move(tensor));
  for (auto& [name, tensor] : std::get<1>(fields)) model.arrays.emplace(name, std::move(tensor));
  for (auto& [name, extents, values] : std::get<2>(fields))
    model.arrays.emplace(name, Integers{Shape(std::span(extents)), std::move(values)});
  return model;
}

Bytes bytesOf(const NamedArray& array) {
  return std::visit(
      []<class A>(const A& typed) {
        if constexpr (std::same_as<A, Integers>)
          return toBytes(typed.values);
        else
          return toBytes(typed);
      },
      array);
}

/// Fails on all ranks with ModelMismatch for the first rank whose verdict is not empty.
Do<void> judge(const AnyCommunicator& communicator, const std::string& operation,
               const std::string& verdict) {
  return communicator.allGather(toBytes(verdict)).map([operation](const std::vector<Bytes>& all) {
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      if (const auto found = fromBytes<std::string>(all[rank]); !found.empty())
        throw ModelMismatch("tapestry::" + operation + ": rank " + std::to_string(rank) + " " + found, rank);
  });
}

std::string differenceOf(const Sentences& own, const Sentences& expected) {
  const auto [mine, theirs] = std::ranges::mismatch(own, expected);
  if (mine == own.end() && theirs == expected.end()) return {};
  return "has another model than rank 0, got " + (mine == own.end() ? "nothing" : *mine) + ", expected " +
         (theirs == expected.end() ? "nothing" : *theirs);
}

std::string valueDifference(const NamedArrays& own, const NamedArrays& expected) {
  for (const auto& [name, array] : expected.arrays)
    if (const auto found = own.arrays.find(name);
        found == own.arrays.end() || bytesOf(found->second) != bytesOf(array))
      return "has another value of \"" + name + "\" than rank 0";
  for (const auto& [name, array] : own.arrays)
    if (!expected.arrays.contains(name)) return "has a value of \"" + name + "\", which rank 0 has not";
  return {};
}

std::string withoutNumbers(const ReplicaGroup& group) {
  for (const auto& member : group.members())
    if (member.form.type.empty())
      return "has a weight \"" + member.name +
             "\" whose gradients are not numbers, got data of a user-defined type, expected a TensorForm of "
             "them";
  return {};
}

}  // namespace

Do<void> meet(const AnyCommunicator& communicator, const std::exception_ptr& error,
              const std::string& operation) {
  const Vote vote = error ? voteOf(error) : Vote();
  return gatherVotes(communicator, vote).map([error, operation](const std::vector<Vote>& votes) {
    if (const auto failure = errorOfVotes(votes, error, operation)) std::rethrow_exception(failure);
  });
}

Do<void> compareModels(const Group& group) {
  const auto& communicator = group->communicator();
  const Sentences own = group->description();
  return communicator.broadcast(toBytes(own), 0).flatMap([group, own](const Bytes& bytes) {
    std::string verdict = differenceOf(own, fromBytes<Sentences>(bytes));
    if (verdict.empty()) verdict = withoutNumbers(*group);
    return judge(group->communicator(), "replicate", verdict);
  });
}

Do<void> broadcastModel(const Group& group) {
  const auto& communicator = group->communicator();
  if (communicator.size() == 1) return Do<void>::now();
  const auto own = group->rank() != 0 ? Do<Bytes>::now({})
                                      : modelArrays(group->weights()).map([](const NamedArrays& model) {
                                          return toBytes(fieldsOf(model));
                                        });
  const auto setFrom = [group](const Bytes& bytes) {
    if (group->rank() == 0) return Do<void>::now();
    return Do<void>::suspend([group, bytes] {
      return setModelArrays(group->weights(), arraysOf(fromBytes<ModelFields>(bytes)), {.finite = false},
                            "rank 0");
    });
  };
  return together(communicator, own, "replicate")
      .flatMap([group](const Bytes& bytes) { return group->communicator().broadcast(bytes, 0); })
      .flatMap([group, setFrom](const Bytes& bytes) {
        return together(group->communicator(), setFrom(bytes), "replicate");
      });
}

Do<void> compareValues(const Group& group) {
  const auto own = together(group->communicator(), modelArrays(group->weights()), "checkSame");
  return mask(own.flatMap([group](const NamedArrays& model) {
    const Bytes bytes = group->rank() == 0 ? toBytes(fieldsOf(model)) : Bytes();
    return group->communicator().broadcast(bytes, 0).flatMap([group, model](const Bytes& received) {
      const auto expected = arraysOf(fromBytes<ModelFields>(received));
      return judge(group->communicator(), "checkSame", valueDifference(model, expected));
    });
  }));
}

}  // namespace tapestry::detail
