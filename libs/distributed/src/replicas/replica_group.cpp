#include "replicas/replica_group.hpp"

#include <algorithm>
#include <stdexcept>
#include <tapestry/version.hpp>
#include <utility>

namespace tapestry::detail {

namespace {

Event setEvent() {
  Event event;
  event.set();
  return event;
}

std::string sentenceOf(const ReplicaGroup::Member& member) {
  return "\"" + member.name + "\" of " + member.form.type + " " + toString(member.form.shape) + " with " +
         member.form.optimizer;
}

}  // namespace

ReplicaGroup::ReplicaGroup(AnyCommunicator communicator, Weights weights, ReplicaOptions options)
    : communicator_(std::move(communicator)),
      weights_(std::move(weights)),
      options_(options),
      lastEnded_(setEvent()) {
  std::vector<extend::WeightForm> forms;
  for (const auto& [name, weight] : weights_) {
    const extend::WeightId id(weight);
    if (std::ranges::find(members_, id, &Member::id) != members_.end()) continue;
    members_.push_back({name, id, extend::formOf(weight)});
    indices_.emplace_back(id, forms.size());
    forms.push_back(members_.back().form);
  }
  std::ranges::sort(indices_);
  buckets_ = planBuckets(forms, options_.bucketBytes);
}

void ReplicaGroup::setLanes(std::vector<Lane> lanes) {
  lanes_ = std::move(lanes);
  errors_.resize(lanes_.size());
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) laneEnded_.push_back(setEvent());
}

std::size_t ReplicaGroup::indexOf(extend::WeightId weight) const {
  const auto found =
      std::ranges::lower_bound(indices_, weight, {}, [](const auto& each) { return each.first; });
  if (found == indices_.end() || found->first != weight)
    throw std::logic_error(
        "tapestry::allReduce: a gradient for a weight that the replicas do not have, expected a weight that "
        "the "
        "model's weights() lists");
  return found->second;
}

std::vector<std::string> ReplicaGroup::description() const {
  std::vector<std::string> sentences{
      "tapestry " TAPESTRY_VERSION_TEXT,
      "buckets of " + std::to_string(options_.bucketBytes) + " bytes",
      std::to_string(options_.passes) + " passes at a time",
      std::to_string(members_.size()) + " weights",
  };
  for (const Member& member : members_) sentences.push_back(sentenceOf(member));
  return sentences;
}

PassTurn ReplicaGroup::nextTurn() {
  const std::lock_guard lock(mutex_);
  PassTurn turn;
  turn.lane = turns_++ % lanes_.size();
  turn.laneFree = std::exchange(laneEnded_[turn.lane], turn.ended);
  turn.othersStepped = std::exchange(lastEnded_, turn.ended);
  return turn;
}

std::exception_ptr ReplicaGroup::errorOfLane(std::size_t lane) const {
  const std::lock_guard lock(mutex_);
  return errors_[lane];
}

void ReplicaGroup::breakLane(std::size_t lane, const std::exception_ptr& error) {
  const std::lock_guard lock(mutex_);
  if (!errors_[lane]) errors_[lane] = error;
}

}  // namespace tapestry::detail
