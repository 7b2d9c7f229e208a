"""digit_server.py PROGRAM CASE: what digit_server does for clients that are well-behaved, slow, broken or too many."""
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

PROGRAM = sys.argv[1]
IMAGE = bytes((37 * i) % 256 for i in range(784))
FORM = "application/x-www-form-urlencoded"


def check(fact, *what):
    if not fact:
        raise AssertionError(*what)


class Server:
    """Runs the program until the end of the scope; then it must have ended well, after SIGTERM."""

    def __init__(self, *options):
        self.options = options

    def __enter__(self):
        command = [PROGRAM, "--port", "0", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.source = self.process.stdout.readline()
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        return self

    def __exit__(self, error, *_):
        if error:
            self.process.kill()
        self.end()

    def end(self, patience=10):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=patience)
        check(errors == "", "on standard error", errors)
        check(self.process.returncode in (0, -signal.SIGKILL), "exit code", self.process.returncode)

    def connect(self):
        return Client(self.port)

    def ask(self, *request, **options):
        with self.connect() as client:
            return client.ask(*request, **options)

    def metrics(self):
        """The samples by name and labels; each line must have the format of Prometheus."""
        response = self.ask("GET", "/metrics")
        check(response.status == 200 and response.header["content-type"].startswith("text/plain"), response)
        samples, types = {}, {}
        for line in response.body.decode().splitlines():
            kind = re.fullmatch(r"# TYPE (\w+) (counter|gauge|histogram)", line)
            sample = re.fullmatch(r'(\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})?) (\S+)', line)
            if kind:
                types[kind[1]] = kind[2]
            elif sample:
                name = re.sub(r"(_bucket|_sum|_count)?(\{.*)?$", "", sample[1])
                check(name in types, "no type before", line)
                samples[sample[1]] = float(sample[2])
            else:
                check(re.fullmatch(r"# HELP \w+ .+", line), "not of Prometheus", line)
        return samples


class Response:
    def __init__(self, status, header, body):
        self.status, self.header, self.body = status, header, body

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.header} {self.body[:300]}"


class Client:
    """One connection."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.unread = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def more(self):
        data = self.socket.recv(65536)
        self.unread += data
        return data != b""

    def until(self, mark):
        while mark not in self.unread:
            check(self.more(), "closed before", mark, self.unread)
        text, self.unread = self.unread.split(mark, 1)
        return text

    def response(self, body=True):
        lines = self.until(b"\r\n\r\n").decode().split("\r\n")
        header = dict((name.lower(), value) for name, value in (line.split(": ", 1) for line in lines[1:]))
        size = int(header.get("content-length", 0)) if body else 0
        while len(self.unread) < size:
            check(self.more(), "closed within the body")
        body, self.unread = self.unread[:size], self.unread[size:]
        return Response(int(lines[0].split()[1]), header, body)

    def ask(self, verb, path, body=b"", kind=None, header=""):
        self.send(request(verb, path, body, kind, header))
        return self.response()

    def closed(self):
        """Waits for the end of the connection; nothing else may come."""
        try:
            return not self.more()
        except ConnectionResetError:
            return True


def request(verb, path, body=b"", kind=None, header=""):
    kind = f"Content-Type: {kind}\r\n" if kind else ""
    size = f"Content-Length: {len(body)}\r\n" if verb == "POST" else ""
    return f"{verb} {path} HTTP/1.1\r\nHost: test\r\n{kind}{size}{header}\r\n".encode() + body


def predict(body=IMAGE, kind="application/octet-stream", header=""):
    return "POST", "/predict", body, kind, header


def eventually(fact, seconds=5):
    end = time.monotonic() + seconds
    while not fact():
        check(time.monotonic() < end, "not within", seconds, "s")
        time.sleep(0.01)


def mistakes():
    """Of the command line: one line on standard error, and an exit code."""
    with Server("--epochs", "0") as server:
        for options, code, text in ((("--port", "70000"), 2, "--port"), (("--data", "nowhere"), 2, "no such directory"),
                                    (("--body", "10"), 2, "--body"), (("--no-such-option",), 2, "--no-such-option"),
                                    (("--port", str(server.port)), 1, "cannot listen on port")):
            ended = subprocess.run([PROGRAM, *options], capture_output=True, text=True, timeout=20, check=False)
            check(ended.returncode == code and text in ended.stderr and ended.stderr.count("\n") == 1, options, ended)


def requests():
    mistakes()
    with Server("--epochs", "0") as server:
        answers(server)
        training(server, running=0)
        connections(server)
        refusals(server)
    with Server("--epochs", "0", "--window", "1000000") as server:
        batches(server)
    with Server("--epochs", "1000") as server:
        events(server)


def answers(server):
    page = server.ask("GET", "/")
    check(page.status == 200 and page.header["content-type"].startswith("text/html"), page)
    check(b"<canvas" in page.body and not re.search(rb"(src|href)=\"?https?:", page.body), "refers to other files")
    check(server.ask("GET", "/healthz?why").status == 200)
    numbers = list(IMAGE)
    rows = [numbers[i:i + 28] for i in range(0, 784, 28)]
    answer = server.ask(*predict()).json()
    check(len(answer["probabilities"]) == 10 and abs(sum(answer["probabilities"]) - 1) < 1e-4, answer)
    check(answer["probabilities"][answer["digit"]] == max(answer["probabilities"]), answer)
    check(answer["scores"][answer["expert"]] == max(answer["scores"]), answer)
    for body in (numbers, rows, [float(n) for n in numbers]):
        response = server.ask(*predict(json.dumps(body).encode(), "application/json"))
        check(response.status == 200 and response.json() == answer, response)
    bytes_ = "application/octet-stream"
    for kind in (bytes_.title(), bytes_ + "; charset=binary", bytes_ + " ;charset=binary"):
        response = server.ask(*predict(kind=kind))
        check(response.status == 200 and response.json() == answer, kind, response)


def connections(server):
    with server.connect() as client:
        answer = client.ask(*predict()).json()
        client.send(request(*predict()) * 3)  # pipelined
        for _ in range(3):
            check(client.response().json() == answer)
        for part in (request(*predict())[i:i + 100] for i in range(0, len(request(*predict())), 100)):
            client.send(part)
            time.sleep(0.001)
        check(client.response().json() == answer)
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (IMAGE[:700], IMAGE[700:])) + b"0\r\n\r\n"
        kind = "Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        client.send(b"POST /predict HTTP/1.1\r\nHost: test\r\n" + kind.encode() + chunks)
        check(client.response().json() == answer)
        client.send(request(*predict(header="Expect: 100-continue\r\n")).removesuffix(IMAGE))
        check(client.response().status == 100)
        client.send(IMAGE)
        check(client.response().json() == answer)
        last = client.ask("GET", "/healthz", header="Connection: close\r\n")
        check(last.status == 200 and last.header["connection"] == "close" and client.closed(), last)
    with server.connect() as client:
        client.send(b"GET /healthz HTTP/1.0\r\n\r\n")
        check(client.response().body == b"ok\n" and client.closed())
    with server.connect() as client:
        for _ in range(2):
            client.send(b"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            response = client.response()
            check(response.body == b"ok\n" and response.header["connection"] == "keep-alive", response)
    heads(server)


def heads(server):
    """HEAD is answered as GET is, but without a body."""
    page = server.ask("GET", "/")
    with server.connect() as client:
        paths = {"/": 200, "/healthz": 200, "/metrics": 200, "/events": 200, "/nothing": 404, "/predict": 405}
        client.send(b"".join(request("HEAD", path) for path in paths))
        answers = {path: client.response(body=False) for path in paths}
        check({path: answer.status for path, answer in answers.items()} == paths, answers)
        check(answers["/"].header == page.header, answers["/"], page)
        check("content-length" not in answers["/events"].header, answers["/events"])
        check(client.ask("GET", "/healthz").body == b"ok\n", "a body after the header")


def refusals(server):
    for body, kind, reason in (
            (IMAGE[:-1], "application/octet-stream", "got 783 bytes, expected 784"),
            (b"", "application/octet-stream", "got 0 bytes"),
            (b"", None, "no JSON"),
            (b"[1,2", None, "no JSON"),
            (b"{}", "application/json", "no array"),
            (b"[1,2,3]", "application/json", "got 3 numbers, expected 784"),
            (b"[" + b"0," * 784 + b"0]", "application/json", "got 785 numbers"),
            (json.dumps([0] * 783 + [256]).encode(), None, "from 0, background, to 255"),
            (json.dumps([0] * 783 + [-1]).encode(), None, "got the number -1"),
            (json.dumps([0] * 783 + ["0"]).encode(), None, "something else than a number"),
            (json.dumps([[0] * 27] * 28).encode(), None, "a row of 27"),
            (b"[" * 1000, None, "no JSON"),
            (IMAGE, FORM, "or 784 bytes and Content-Type: application/octet-stream")):
        response = server.ask(*predict(body, kind))
        check(response.status == 400 and reason in response.json()["error"], reason, response)
    with open(os.path.join(os.path.dirname(__file__), "digit_server_refusal.out")) as file:
        check(server.ask(*predict(b"[1, 2]", FORM)).body.decode().rstrip() == file.read().rstrip())
    check(server.ask("GET", "/nothing").status == 404)
    for verb, path, allowed in (("POST", "/", "GET, HEAD"), ("GET", "/predict", "POST"),
                                ("DELETE", "/metrics", "GET, HEAD")):
        response = server.ask(verb, path)
        check(response.status == 405 and response.header["allow"] == allowed, response)
    for nonsense in (b"\r\n\r\n\r\n", b"hello\r\n\r\n", b"GET /\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00",
                     b"GET / HTTP/9.9\r\n\r\n"):
        with server.connect() as client:
            client.send(nonsense)
            response = client.response()
            check(response.status == 400 and "no HTTP" in response.json()["error"], nonsense, response)
            check(client.closed())
    counted = server.metrics()
    check(counted['digit_server_requests_total{route="/predict",code="400"}'] == 14, counted)
    check(counted['digit_server_requests_total{route="other",code="404"}'] == 2, counted)
    check(counted["digit_server_predict_seconds_count"] > 12, counted)
    check(counted["process_resident_memory_bytes"] > 1e6, counted)
    eventually(lambda: server.metrics()["digit_server_connections"] == 1)  # that of the question


def batches(server):
    clients = [server.connect() for _ in range(8)]
    for client in clients:
        client.send(request(*predict()))
    check(len({client.response().body for client in clients}) == 1)
    counted = server.metrics()
    check(counted["digit_server_batch_size_sum"] == 8 and counted["digit_server_batch_size_count"] == 1, counted)
    for client in clients:
        client.socket.close()


def training(server, running):
    counted = server.metrics()
    check(counted["digit_server_training_running"] == running and counted["digit_server_training_failed"] == 0, counted)


def events(server):
    """The loss falls while the server answers."""
    with server.connect() as client:
        client.send(request("GET", "/events"))
        check("text/event-stream" in client.until(b"\r\n\r\n").decode())
        check(client.until(b"\n\n").startswith(b"event: history\ndata: ["))
        points = []
        while len(points) < 12:
            kind, data = client.until(b"\n\n").decode().split("\n")
            check(kind == "event: point" and data.startswith("data: "), kind, data)
            points.append(json.loads(data[6:]))
            check(server.ask(*predict()).status == 200)
        check(points[-1]["loss"] < points[0]["loss"] and points[-1]["step"] > points[0]["step"], points)
        check(server.metrics()["digit_server_training_steps_total"] >= points[-1]["step"])
        check(server.metrics()["digit_server_listeners"] == 1)
        training(server, running=1)
        with server.connect() as second:
            second.send(request("GET", "/events"))
            second.until(b"\r\n\r\n")
            check(points[-1] in json.loads(second.until(b"\n\n").decode().split("data: ")[1]))
    eventually(lambda: server.metrics()["digit_server_listeners"] == 0)


def limits():
    with Server("--epochs", "0", "--request-time", "300", "--connections", "4", "--body", "10000") as server:
        too_large(server)
        too_slow(server)
        broken(server)
        too_many(server)


def too_large(server):
    head = b"POST /predict HTTP/1.1\r\nHost: test\r\n"
    for data, status in ((head + b"Content-Length: 10001\r\n\r\n", 413),
                         (head + b"Content-Length: 10001\r\nExpect: 100-continue\r\n\r\n", 413),
                         (head + b"Content-Length: 10001\r\n\r\n" + b"0" * 10001, 413),
                         (head + b"Transfer-Encoding: chunked\r\n\r\n"
                          + (b"1000\r\n" + b"0" * 4096 + b"\r\n") * 3, 413),
                         (head + b"Name: " + b"v" * 9000 + b"\r\n\r\n", 431)):
        with server.connect() as client:
            client.send(data)
            response = client.response()
            check(response.status == status and "at most" in response.json()["error"], response)
            check(client.closed())


def too_slow(server):
    whole = request(*predict())
    for part in (b"P", whole[:50], whole[:-1]):
        begun = time.monotonic()
        with server.connect() as client:
            client.send(part)
            response = client.response()
            check(response.status == 408 and client.closed(), response)
        check(time.monotonic() - begun >= 0.3, "too early")
    with server.connect() as client:  # one byte at a time is no way around it
        begun = time.monotonic()
        try:
            for i in range(len(whole)):
                client.send(whole[i:i + 1])
                time.sleep(0.02)
                if i > 20:
                    client.socket.setblocking(False)
                    try:
                        client.more()
                        break
                    except BlockingIOError:
                        client.socket.settimeout(10)
        except (BrokenPipeError, ConnectionResetError):
            pass
        check(time.monotonic() - begun < 10, "not stopped")
        check(client.unread.startswith(b"HTTP/1.1 408"), client.unread)


def broken(server):
    whole = request(*predict())
    for part in (b"", whole[:50], whole[:-1], whole, request("GET", "/events")):
        for reset in (False, True):
            client = server.connect()
            client.send(part)
            if reset:
                client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.socket.close()
    eventually(lambda: server.ask("GET", "/healthz").status == 200)
    eventually(lambda: server.metrics()["digit_server_connections"] == 1)


def too_many(server):
    kept = [server.connect() for _ in range(4)]
    for client in kept:
        check(client.ask("GET", "/healthz").status == 200)
    for _ in range(3):
        with server.connect() as client:
            response = client.response()
            check(response.status == 503 and "retry-after" in response.header, response)
            check(client.closed())
    check(kept[0].ask(*predict()).status == 200, "the other connections continue")
    kept.pop().socket.close()
    eventually(lambda: server.ask("GET", "/healthz").status == 200)
    check(server.metrics()["digit_server_refused_total"] >= 3)
    for client in kept:
        client.socket.close()


def stop():
    """SIGTERM: requests in flight, also half a request, are answered, idle connections end, and the exit code is 0. The
    trace is written after that."""
    with tempfile.NamedTemporaryFile("w+", suffix=".json") as trace:
        stops(trace.name)
        bars = [bar["name"] for bar in json.load(trace) if bar["ph"] in "XB"]
        check("affine" in bars, "no bars of layers", bars[:100])
    stops_late()


def stops(trace):
    with Server("--epochs", "1000", "--window", "1000000", "--trace", trace) as server:
        idle, flying, half, watching = (server.connect() for _ in range(4))
        for client in (idle, flying, half, watching):
            check(client.ask("GET", "/healthz").status == 200)
        watching.send(request("GET", "/events"))
        watching.until(b"\n\n")
        whole = request(*predict())
        flying.send(whole)
        half.send(whole[:300])
        time.sleep(0.1)
        server.process.send_signal(signal.SIGTERM)
        check(idle.closed())
        half.send(whole[300:])
        for client in (flying, half):
            response = client.response()
            check(response.status == 200 and response.header["connection"] == "close", response)
            check(client.closed())
            client.socket.close()
        while watching.more():
            pass
        check(server.process.wait(timeout=5) == 0, server.process.returncode)
        try:
            server.connect()
            check(False, "connected after the end")
        except ConnectionRefusedError:
            pass


def stops_late():
    """What has begun has all of --request-time to arrive, longer than serve and runMain wait by themselves."""
    with Server("--epochs", "0", "--request-time", "60000") as server, server.connect() as client:
        check(client.ask("GET", "/healthz").status == 200)
        whole = request(*predict())
        client.send(whole[:300])
        time.sleep(0.1)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(10.5)
        client.send(whole[300:])
        response = client.response()
        check(response.status == 200 and response.header["connection"] == "close" and client.closed(), response)
        client.socket.close()
        check(server.process.wait(timeout=5) == 0, server.process.returncode)


def load():
    """10,000 requests from wrk without an error, and with memory flat; the process trains meanwhile."""
    script = "wrk.method='POST'; wrk.headers['Content-Type']='application/octet-stream'; wrk.body=string.rep('a', 784)"
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file, Server("--epochs", "1000000") as server:
        file.write(script)
        file.flush()
        memory, total = [], 0
        while len(memory) < 3 or total < 20000:
            command = ["wrk", "-t1", "-c32", "-d2s", "-s", file.name, f"http://127.0.0.1:{server.port}/predict"]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            check("Socket errors" not in text and "Non-2xx" not in text, text)
            total += int(re.search(r"(\d+) requests in", text)[1])
            memory.append(server.metrics()["process_resident_memory_bytes"])
        print(total, "requests; memory after each round", memory)
        counted = server.metrics()
        check(counted['digit_server_requests_total{route="/predict",code="200"}'] >= total > 10000, counted)
        check(memory[-1] - memory[0] < 3e6, memory)


if __name__ == "__main__":
    if sys.argv[2] == "page":
        import digit_server_page
        digit_server_page.page(Server)
    else:
        {"requests": requests, "limits": limits, "stop": stop, "load": load}[sys.argv[2]]()
