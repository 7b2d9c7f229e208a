#include "replicas/exchange_rest.hpp"

#include <tuple>
#include <utility>

#include "tapestry/distributed/wire.hpp"
#include "tapestry/tensor/indices.hpp"

namespace tapestry::detail {

namespace {

/// A bucket for the slots of several buckets.
struct RestBucket {
  explicit RestBucket(BucketPlan rest) : plan(std::move(rest)), bucket(plan) {}
  const BucketPlan plan;
  Bucket bucket;
};

extend::Gradient zerosOf(const extend::WeightForm& form) {
  if (form.type == "F64") return Tensor<double>::zeros(form.gradient);
  return Tensor<float>::zeros(form.gradient);
}

/// Returns the touched slots of the buckets that are not reduced, of one type of elements.
std::shared_ptr<RestBucket> restBucket(const ReplicaGroup& group, const std::deque<Bucket>& buckets,
                                       const std::vector<std::uint8_t>& touched, bool isDouble) {
  BucketPlan plan{isDouble, 0, {}};
  std::vector<extend::Gradient> gradients;
  for (const Bucket& bucket : buckets) {
    if (bucket.isReduced || bucket.plan().isDouble != isDouble) continue;
    for (std::size_t slot = 0; slot < bucket.plan().slots.size(); ++slot) {
      const auto& [weight, offset, size] = bucket.plan().slots[slot];
      if (!touched[weight]) continue;
      const auto& form = group.members()[weight].form;
      gradients.push_back(bucket.has(slot) ? bucket.gradient(slot, form.gradient) : zerosOf(form));
      plan.slots.push_back({weight, plan.elements, size});
      plan.elements += size;
    }
  }
  if (gradients.empty()) return nullptr;
  auto rest = std::make_shared<RestBucket>(std::move(plan));
  for (std::size_t slot = 0; slot < gradients.size(); ++slot)
    rest->bucket.put(slot, std::move(gradients[slot]), 1);
  return rest;
}

Do<void> reduce(const ExchangingPass& pass, const std::shared_ptr<RestBucket>& rest) {
  if (!rest) return Do<void>::now();
  return rest->bucket.allReduce(pass.lane).map([pass, rest] {
    for (std::size_t slot = 0; slot < rest->plan.slots.size(); ++slot) {
      const auto& member = pass.group->members()[rest->plan.slots[slot].weight];
      pass.gradients.put(member.id, rest->bucket.gradient(slot, member.form.gradient));
    }
  });
}

/// The rows of a table: its index among the weights, the rows' indices, and the rows.
template <class T>
using Rows = std::tuple<std::size_t, std::vector<std::int64_t>, Tensor<T>>;
using AllRows = std::pair<std::vector<Rows<float>>, std::vector<Rows<double>>>;

template <class T>
std::vector<Rows<T>>& rowsIn(AllRows& all) {
  if constexpr (sizeof(T) == sizeof(float))
    return all.first;
  else
    return all.second;
}

AllRows ownRows(const ExchangingPass& pass, const std::vector<std::size_t>& tables) {
  AllRows own;
  for (const std::size_t table : tables) {
    const auto id = pass.group->members()[table].id;
    if (!pass.gradients.isTouched(id)) continue;
    const auto add = [&]<class T>(IndexedRows<T> rows) {
      if (rows.size() == 0) return;
      if (pass.weight != 1) rows = std::move(rows).scaled(pass.weight);
      const auto indices = rows.indices().values();
      rowsIn<T>(own).emplace_back(table, std::vector(indices.begin(), indices.end()), rows.rows());
    };
    auto gradient = pass.gradients.take(id);
    if (auto* floats = std::get_if<IndexedRows<float>>(&gradient)) add(std::move(*floats));
    if (auto* doubles = std::get_if<IndexedRows<double>>(&gradient)) add(std::move(*doubles));
  }
  return own;
}

/// Returns the sum of the rows of one table over the ranks, in their order.
template <class T>
IndexedRows<T> sumOfRows(std::vector<AllRows>& ranks, std::size_t table) {
  IndexedRows<T> sum;
  for (AllRows& rank : ranks)
    for (auto& [of, indices, rows] : rowsIn<T>(rank))
      if (of == table) sum += IndexedRows<T>(Indices(std::move(indices)), std::move(rows));
  return std::move(sum).merged();
}

Do<void> exchangeRows(const ExchangingPass& pass, std::vector<std::size_t> tables) {
  if (tables.empty()) return Do<void>::now();
  return Do<void>::suspend([pass, tables = std::move(tables)] {
    return pass.lane.allGather(toBytes(ownRows(pass, tables)))
        .map([pass, tables](const std::vector<Bytes>& all) {
          std::vector<AllRows> ranks;
          for (const Bytes& bytes : all) ranks.push_back(fromBytes<AllRows>(bytes));
          for (const std::size_t table : tables) {
            const auto& member = pass.group->members()[table];
            if (member.form.type == "F64")
              pass.gradients.put(member.id, sumOfRows<double>(ranks, table));
            else
              pass.gradients.put(member.id, sumOfRows<float>(ranks, table));
          }
        });
  });
}

}  // namespace

Do<void> exchangeRest(const ExchangingPass& pass, const std::deque<Bucket>& buckets,
                      const std::vector<std::uint8_t>& touched) {
  std::vector<std::size_t> tables;
  for (std::size_t i = 0; i < touched.size(); ++i)
    if (touched[i] && pass.group->members()[i].form.byRows) tables.push_back(i);
  return reduce(pass, restBucket(*pass.group, buckets, touched, false))
      .flatMap([pass, rest = restBucket(*pass.group, buckets, touched, true)] { return reduce(pass, rest); })
      .flatMap([pass, tables = std::move(tables)] { return exchangeRows(pass, tables); });
}

}  // namespace tapestry::detail
