#include "local/mailbox.hpp"

#include <algorithm>

#include "local/group.hpp"
#include "message_back.hpp"
#include "tapestry/distributed/rank_error.hpp"

namespace tapestry::detail {

void LocalMailbox::put(Letter letter) {
  Letters one;
  one.push_back(std::move(letter));
  add(one);
}

void LocalMailbox::add(Letters& letter) noexcept {
  extend::Waiter* receiver = nullptr;
  {
    const extend::SpinGuard guard(queue_.lock);
    auto& number = letter.front().number;
    const auto isLater = [&](const Letter& other) { return other.number > number; };
    const auto place = number == 0 ? letters_.end() : std::ranges::find_if(letters_, isLater);
    if (number == 0) number = ++last_;
    letters_.splice(place, letter);
    for (auto* each = queue_.first(); each; each = each->nextWaiter) {
      if (!takeFor(static_cast<LocalReceiving&>(*each))) continue;
      receiver = static_cast<LocalReceiving*>(each);
      queue_.take(*receiver);
      break;
    }
  }
  if (receiver) receiver->wake();
}

void LocalMailbox::leave(std::size_t rank) noexcept {
  std::vector<extend::Waiter*> vain;
  {
    const extend::SpinGuard guard(queue_.lock);
    left_[rank] = true;
    for (auto* each = queue_.first(); each;) {
      auto& receiving = static_cast<LocalReceiving&>(*std::exchange(each, each->nextWaiter));
      if (!isVain(receiving)) continue;
      receiving.vain_ = true;
      queue_.take(receiving);
      vain.push_back(&receiving);
    }
  }
  for (auto* each : vain) each->wake();
}

bool LocalMailbox::takeFor(LocalReceiving& receiving) noexcept {
  const auto& wanted = receiving.request_;
  const auto at = std::find_if(letters_.begin(), letters_.end(), [&](const Letter& letter) {
    return letter.tag == wanted.tag && (!wanted.from || *wanted.from == letter.message.from);
  });
  if (at == letters_.end()) return false;
  receiving.letter_.splice(receiving.letter_.end(), letters_, at);
  return true;
}

bool LocalMailbox::isVain(const LocalReceiving& receiving) const noexcept {
  if (receiving.request_.from) return left_[*receiving.request_.from];
  for (std::size_t rank = 0; rank < left_.size(); ++rank)
    if (rank != owner_ && !left_[rank]) return false;
  return left_.size() > 1;
}

LocalReceiving::LocalReceiving(const Request& request)
    : Waiter(request.rank->group->mailbox(request.rank->rank).queue_),
      mailbox_(request.rank->group->mailbox(request.rank->rank)),
      request_(request) {}

bool LocalReceiving::enter() noexcept {
  if (!letter_.empty() || vain_ || mailbox_.takeFor(*this)) return true;
  vain_ = mailbox_.isVain(*this);
  return vain_;
}

extend::Acquired<Message> LocalReceiving::served() {
  if (!letter_.empty())
    return received(std::move(letter_.front().message), [rank = request_.rank, tag = request_.tag,
                                                         number = letter_.front().number](Message message) {
      rank->group->mailbox(rank->rank).put({std::move(message), tag, number});
    });
  std::vector<std::size_t> gone;
  for (std::size_t rank = 0; rank < mailbox_.left_.size(); ++rank)
    if (request_.from ? rank == *request_.from : rank != mailbox_.owner_) gone.push_back(rank);
  const std::string text = "tapestry::Communicator::receive: " + nameOfRanks(gone) +
                           (gone.size() > 1 ? " have" : " has") + " left, expected a message of tag " +
                           std::to_string(request_.tag);
  return {Try<Message>::failure(std::make_exception_ptr(RankError(text, gone))), {}};
}

void LocalReceiving::declined() noexcept {
  if (!letter_.empty()) mailbox_.add(letter_);
}

}  // namespace tapestry::detail
