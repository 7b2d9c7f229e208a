// A chat over loopback. A room is a broadcast: everybody in it gets every line, and a client that does not
// read what it is sent is dropped, so that it holds nobody up. When the server is asked to stop, it tells
// everybody, and its connections end before the program continues.
#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstddef>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <tapestry/asio.hpp>
#include <tapestry/concurrent/asio/serve.hpp>
#include <tapestry/concurrent/asio/socket_blocks.hpp>
#include <tapestry/concurrent/background.hpp>
#include <tapestry/concurrent/broadcast.hpp>
#include <tapestry/concurrent/stream/lines.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/asio/as_do.hpp>
#include <tapestry/raii/direct/direct.hpp>
#include <tapestry/raii/future.hpp>
#include <tapestry/raii/race.hpp>
#include <tapestry/raii/timeout.hpp>
#include <variant>
#include <vector>

#include "support/options.hpp"

namespace {

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t longestLine = 8000;
constexpr std::ptrdiff_t linesBehind = 256;  // that a client may be behind the room
constexpr auto patience = 1s;                // with a client that does not take a line
constexpr int socketBuffer = 1 << 13;        // small, so that a client that does not read is noticed soon

/// The two run side by side until one of them ends, well or not.
Do<void> either(const Do<void>& a, const Do<void>& b) {
  return race(a.attempt(), b.attempt()).map([](auto ended) {
    std::visit([](Try<void>& result) { std::move(result).valueOrThrow(); }, ended);
  });
}

/// A client says in two lines which room it enters, and its name. Then its lines go to all in the room, and
/// it gets theirs and its own, each with a name before it. All of the server runs on one thread.
class ChatServer {
 public:
  Do<void> serveOn(tcp::acceptor& acceptor) {
    const auto attendOne = [this](const Handle<tcp::socket>& socket, const Event& stopping) {
      return attend(socket, stopping);
    };
    const auto countSlow = [this](const std::exception_ptr& error) {
      if (errorAs<TimeoutError>(error) || errorAs<TooSlow>(error)) ++dropped_;
    };
    return serve(acceptor, attendOne, {.onError = countSlow});
  }

  int dropped() const { return dropped_; }
  std::size_t rooms() const { return rooms_.size(); }

 private:
  using Room = Broadcast<std::string>;

  Do<void> attend(const Handle<tcp::socket>& socket, const Event& stopping) {
    return direct<Do>([=, this] {
      socket->set_option(tcp::socket::send_buffer_size(socketBuffer));
      const Channel<std::string> said(1);
      !background(lines(socketBlocks(socket), longestLine).into(said));
      const std::string roomName = !timeout(said.receive(), patience);
      const std::string name = !timeout(said.receive(), patience);
      const Room room = !enter(roomName);
      const auto heard = !room.subscribe();
      !resource(room.publish("* " + name + " is here"), [=] { room.tryPublish("* " + name + " has left"); });
      !either(tell(socket, heard, stopping), speak(said, room, name));
    });
  }

  /// The room of that name, which exists until the last one has left it.
  Do<Room> enter(const std::string& name) {
    const auto find = Do<Room>::delay([=, this] {
      return rooms_.try_emplace(name, BroadcastPolicy{.capacity = linesBehind, .slow = SlowSubscribers::fail})
          .first->second;
    });
    return resource(find, [=, this](const Room& room) {
      if (room.subscribers() == 0) rooms_.erase(name);
    });
  }

  /// Sends the client what is said in the room, until the server is stopped.
  static Do<void> tell(const Handle<tcp::socket>& socket, const Subscription<std::string>& heard,
                       const Event& stopping) {
    return direct<Do>([=] {
      for (;;) {
        auto next = !race(heard.receive().attempt(), stopping.wait());
        const bool stopped = next.index() == 1;
        const std::string line =
            stopped ? "* the server closes" : std::get<0>(std::move(next)).valueOrThrow();
        !timeout(asio::async_write(*socket, asio::buffer(line + '\n'), asDo), patience);
        if (stopped) return;
      }
    });
  }

  static Do<void> speak(const Channel<std::string>& said, const Room& room, const std::string& name) {
    return Stream<std::string>::from(said).forEach(
        [=](const std::string& line) { return room.publish(name + ": " + line); });
  }

  std::map<std::string, Room> rooms_;
  int dropped_ = 0;
};

/// A client in the room, until the scope of `enter` ends.
class Client {
 public:
  /// Connects, and waits until it is in the room.
  static Do<Client> enter(asio::io_context& context, const tcp::endpoint& server, const std::string& room,
                          const std::string& name) {
    return scoped([&context] { return tcp::socket(context); })
        .flatMap([=](const Handle<tcp::socket>& socket) {
          return direct<Do>([=] {
            socket->open(server.protocol());
            socket->set_option(tcp::socket::receive_buffer_size(socketBuffer));
            !socket->async_connect(server, asDo);
            const Client client(socket);
            !client.say(room + '\n' + name);
            !client.hear("* " + name + " is here");
            return client;
          });
        });
  }

  Do<void> say(const std::string& line) const {
    return Do<void>::suspend([socket = socket_, text = std::make_shared<const std::string>(line + '\n')] {
      return asio::async_write(*socket, asio::buffer(*text), asDo).map([text](std::size_t) {});
    });
  }

  /// Reads on up to the line.
  Do<void> hear(const std::string& last) const {
    return direct<Do>([socket = socket_, unread = unread_, heard = heard_, last] {
      do {
        const std::size_t size =
            !timeout(asio::async_read_until(*socket, asio::dynamic_buffer(*unread), '\n', asDo), 10s);
        heard->push_back(unread->substr(0, size - 1));
        unread->erase(0, size);
      } while (heard->back() != last);
    });
  }

  const std::vector<std::string>& heard() const { return *heard_; }

 private:
  explicit Client(const Handle<tcp::socket>& socket) : socket_(socket) {}

  Handle<tcp::socket> socket_;
  std::shared_ptr<std::string> unread_ = std::make_shared<std::string>();
  std::shared_ptr<std::vector<std::string>> heard_ = std::make_shared<std::vector<std::string>>();
};

/// Prints the lines of the server, then the lines of the other clients, and of pages only the number.
void print(const std::string& name, const Client& client) {
  std::size_t pages = 0;
  for (const bool notices : {true, false})
    for (const std::string& line : client.heard())
      if (line.starts_with('*') == notices) {
        if (line.size() > 1000)
          ++pages;
        else
          std::cout << name << " heard " << line << '\n';
      }
  std::cout << name << " heard " << pages << " pages\n";
}

Do<void> talk(asio::io_context& context, ChatServer& server) {
  return direct<Do>([&] {
    const auto acceptor = !scoped([&] {
      return tcp::acceptor(context, {asio::ip::address_v4::loopback(), 0});
    });
    const tcp::endpoint endpoint = acceptor->local_endpoint();
    const auto serving = !background(server.serveOn(*acceptor), "chat");

    const Client ann = !Client::enter(context, endpoint, "tea", "ann");
    const Client bob = !Client::enter(context, endpoint, "tea", "bob");
    const Client carl = !Client::enter(context, endpoint, "tea", "carl");  // reads nothing from here on
    const Client dora = !Client::enter(context, endpoint, "coffee", "dora");

    !ann.say("hello");
    !bob.hear("ann: hello");
    const std::string page(5000, '.');
    for (int i = 0; i < 200; ++i) {
      !bob.say(page);
      !bob.hear("bob: " + page);
      !ann.hear("bob: " + page);
    }
    !bob.say("that is all");
    !ann.hear("bob: that is all");
    const std::string leaving = "* carl has left";  // perhaps between two pages
    if (std::ranges::find(ann.heard(), leaving) == ann.heard().end()) !ann.hear(leaving);

    !tupleN(parallel(serving.cancel()), parallel(ann.hear("* the server closes")),
            parallel(dora.hear("* the server closes")));
    print("ann", ann);
    print("dora", dora);
    std::cout << "slow clients dropped: " << server.dropped() << '\n'
              << "rooms after the server has stopped: " << server.rooms() << '\n';
  });
}

void chat() {
  asio::io_context context;
  AsioExecutor executor(context);
  ChatServer server;
  auto done = toFuture(talk(context, server), executor);
  context.run();
  done.get();
}

}  // namespace

int main(int argc, char** argv) {
  examples::Options options("chat", "A chat server and four of its clients, one of which does not read.");
  options.unused("--threads", "all happens on one").unused("--seed", "nothing is drawn");
  options.traced(examples::traceRuns);
  return options.run(argc, argv, chat);
}
