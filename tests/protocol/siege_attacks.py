# SPDX-License-Identifier: MIT
"""What hostile peers do to a player, to its watch page and to a host: each attack is bounded in count and time."""
import random
import select
import socket
import struct
import threading
import time

HOST = "127.0.0.1"
SMALL_GAME = ("( role r ) ( init ( s 0 ) ) ( legal r go ) ( <= ( next ( s 1 ) ) ( true ( s 0 ) ) ) "
              "( <= terminal ( true ( s 1 ) ) ) ( goal r 50 )")


class Target:
    """Where to send what: the player's port, the page's port, and an address to come from."""

    def __init__(self, player, page, source, random_source):
        self.player, self.page, self.source, self.random = player, page, source, random_source
        self.faults = []  # what the player should not have done

    def connect(self, port=None, timeout=5.0):
        sock = socket.socket()
        sock.settimeout(timeout)
        sock.bind((self.source, 0))
        sock.connect((HOST, port or self.player))
        return sock


def post(body, extra="", method="POST", path="/"):
    data = body if isinstance(body, bytes) else body.encode()
    return f"{method} {path} HTTP/1.0\r\n{extra}Content-Length: {len(data)}\r\n\r\n".encode() + data


def read_all(sock, seconds=5.0, most=1 << 20):
    """What comes until the peer closes, the time is over or it is too much."""
    end, data = time.monotonic() + seconds, b""
    while len(data) < most:
        sock.settimeout(max(0.01, end - time.monotonic()))
        try:
            piece = sock.recv(65536)
        except OSError:
            break
        if not piece:
            break
        data += piece
    return data


def ask(target, message, seconds=10.0):
    """The body of the player's reply to a message; empty if there is none in time."""
    try:
        with target.connect() as sock:
            sock.sendall(post(message))
            return read_all(sock, seconds).partition(b"\r\n\r\n")[2].decode(errors="replace")
    except OSError:
        return ""


def send_pieces(target, port, pieces, pause=0.001, wait=1.0):
    try:
        with target.connect(port) as sock:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for piece in pieces:
                if piece:
                    sock.sendall(piece)
                    time.sleep(pause)
            read_all(sock, wait)
    except OSError:
        pass


def send_endlessly(target, port, start, piece, seconds=5.0, most=64 << 20):
    """Sends until it is sent away."""
    end, sent = time.monotonic() + seconds, 0
    try:
        with target.connect(port) as sock:
            sock.sendall(start)
            while time.monotonic() < end and sent < most:
                sent += sock.send(piece)
    except OSError:
        pass


def open_many(target, port, count, first=b""):
    """So many connections, as far as they can be had."""
    socks = []
    for _ in range(count):
        try:
            sock = target.connect(port, timeout=0.5)
            if first:
                sock.send(first)
            socks.append(sock)
        except OSError:
            break
    return socks


def close_all(socks):
    for sock in socks:
        sock.close()


def reset(sock):
    """Closes with a reset in place of a farewell."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


# ---- Framing

CHUNKED = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNK_TEXTS = [b"0\r\n\r\n", b"4;a=b\r\n( IN\r\n4\r\nFO )\r\n0\r\nA: b\r\n\r\n", b"0\r\nTransfer-Encodit/.\r\n",
               b"ffffffffffffffff\r\nx", b"-1\r\nx\r\n", b"0x5\r\nabcde\r\n", b" 5\r\nabcde\r\n", b"\r\n\r\n",
               b"5\r\nabcdefg\r\n0\r\n\r\n", b"00000000000000000000\r\n\r\n", b"5;" + b"\0" * 5 + b"\r\n"]


def chunk_faults(target, end):
    for text in CHUNK_TEXTS:
        for cut in range(len(text)):
            if time.monotonic() > end:
                return
            port = target.random.choice([target.player, target.page])
            send_pieces(target, port, [CHUNKED, text[:cut], text[cut:cut + 1], text[cut + 1:]], wait=0.05)


def endless_chunk_parts(target, end):
    for start in (b"5;", b"5 ", b"0\r\n", b"0\r\nA: ", b"0\r\nA"):
        for port in (target.player, target.page):
            if time.monotonic() < end:
                send_endlessly(target, port, CHUNKED + start, b"x" * 65536, 2.0)


def endless_heads(target, end):
    for start, piece in ((b"POST / HTTP/1.0\r\nA: ", b"a" * 65536), (b"", b"x" * 65536), (b"", b"\r" * 65536),
                         (b"POST / HTTP/1.0\r\n", b"A: b\r\n" * 10000), (b"GET /", b"%28" * 20000)):
        for port in (target.player, target.page):
            if time.monotonic() < end:
                send_endlessly(target, port, start, piece, 2.0)


def doubtful_heads(target, end):
    heads = [b"Content-Length: 8\r\nContent-Length: 9\r\n", b"Content-Length: 8\r\nTransfer-Encoding: chunked\r\n",
             b"Transfer-Encoding: gzip\r\n", b"A: b\r\n c\r\n", b"A: \0\r\n", b"Expect: 100-continue\r\nContent-Length: 99\r\n",
             b"Expect: tea\r\n", b"Content-Length: 18446744073709551616\r\n", b"Content-Length: -5\r\n", b"A : b\r\n"]
    whole = [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
             post("( INFO )") + post("( INFO )") * 50, b"GET /%00%ff HTTP/1.0\r\n\r\n", b"GET " + b"/" * 60000 + b" HTTP/1.0\r\n\r\n"]
    requests = [b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + head + b"\r\n( INFO )" for head in heads] + whole
    for request in requests:
        for port in (target.player, target.page):
            if time.monotonic() < end:
                send_pieces(target, port, [request], wait=0.2)


# ---- Connections

def slow_loris(target, end):
    text = b"POST / HTTP/1.0\r\nContent-Length: 100000\r\n\r\n( PLAY " + b"x" * 1000
    socks = open_many(target, target.player, 150) + open_many(target, target.page, 50)
    for i in range(len(text)):
        if time.monotonic() > end:
            break
        for sock in socks:
            try:
                sock.send(text[i:i + 1])
            except OSError:
                pass
        time.sleep(0.05)
    close_all(socks)


def connection_flood(target, end):
    for i in range(5000):
        if time.monotonic() > end:
            return
        try:
            sock = target.connect(target.random.choice([target.player, target.page]), timeout=0.5)
            (reset if i % 2 else socket.socket.close)(sock)
        except OSError:
            time.sleep(0.01)


def idle_connections(target, end):
    """More than the process has descriptors for."""
    socks = open_many(target, target.player, 400) + open_many(target, target.page, 400)
    time.sleep(max(0.0, min(3.0, end - time.monotonic())))
    close_all(socks)


def large_bodies(target, end):
    """128 connections that send up to 14 MB each, all at the same time."""
    size = 14 << 20
    head = f"POST / HTTP/1.0\r\nContent-Length: {size}\r\n\r\n( START x r ( ".encode()
    piece = target.random.choice([b"( a b ) " * 8192, b"\n" * 65536, b"x" * 65536, b"()" * 32768])
    left = {}
    for sock in open_many(target, target.player, 128, head):
        sock.setblocking(False)
        left[sock] = size - 14
    socks = list(left)
    while left and time.monotonic() < end:
        _, ready, _ = select.select([], list(left), [], 0.2)
        for sock in ready:
            try:
                left[sock] -= sock.send(piece[:left[sock]])
            except OSError:
                left[sock] = 0
            if left[sock] <= 0:
                del left[sock]
    close_all(socks)


def whole_large_messages(target, end):
    """Bodies that are read to the end and parsed: many tokens, many lines, deep, one long word."""
    for body in (b"( START x r ( " + b"( a b ) " * 500000 + b") 1 1 )", b"( PLAY x (" + b"\n" * 4000000 + b") )",
                 b"(" * 4000000, b"( START " + b"x" * 4000000 + b" r () 1 1 )", b"a " * 2000000, b"#|" + b"|" * 4000000):
        if time.monotonic() > end:
            return
        try:
            with target.connect() as sock:
                sock.sendall(post(body))
                read_all(sock, 3.0)
        except OSError:
            pass


def slow_readers(target, end):
    socks = []
    for request, port in ((b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", target.page),
                          (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", target.page),
                          (b"GET / HTTP/1.0\r\n\r\n", target.player)):
        socks += open_many(target, port, 80, request)
    time.sleep(max(0.0, min(5.0, end - time.monotonic())))
    close_all(socks)


def early_and_half_closers(target, end):
    request = post("( PLAY nobody ( a b ) )")
    for cut in range(len(request)):
        for how in ("close", "reset", "half"):
            if time.monotonic() > end:
                return
            try:
                sock = target.connect(timeout=0.5)
                sock.send(request[:cut])
                if how == "half":
                    sock.shutdown(socket.SHUT_WR)
                    read_all(sock, 0.1)
                (reset if how == "reset" else socket.socket.close)(sock)
            except OSError:
                pass


# ---- Messages

def garbage(target, end):
    parts = ["(", ")", "START", "PLAY", "STOP", "ABORT", "INFO", "PREVIEW", "m", "nil", "(a b)", "1", "-1", "1e99", ";",
             "#|", "|#", "\xff", "\0", "( role r )", "99999999999999999999", "\n", "\r"]
    for _ in range(500):
        if time.monotonic() > end:
            return
        text = " ".join(target.random.choice(parts) for _ in range(target.random.randrange(1, 20)))
        ask(target, "( " + text + " )" if target.random.random() < 0.5 else text, 2.0)


def start_stop_storm(target, end):
    for i in range(200):
        if time.monotonic() > end:
            return
        name = f"storm.{target.random.randrange(1 << 30)}"
        ask(target, f"( START {name} r ( {SMALL_GAME} ) 1 1 )", 3.0)
        if i % 3 == 0:
            ask(target, f"( PLAY {name} NIL )", 3.0)
        ask(target, f"( {'STOP' if i % 2 else 'ABORT'} {name} {'NIL ' if i % 2 else ''})", 3.0)


def strangers(target, end):
    """Ends matches of others, or makes moves in them, as far as the player lets a stranger."""
    for _ in range(20):
        if time.monotonic() > end:
            return
        try:
            with target.connect() as sock:
                sock.sendall(b"GET / HTTP/1.0\r\n\r\n")
                page = read_all(sock, 3.0).decode(errors="replace")
        except OSError:
            continue
        for row in page.split("<tr><td>")[1:]:
            name = row.partition("</td>")[0]
            for message in (f"( ABORT {name} )", f"( STOP {name} NIL )", f"( PLAY {name} ( noop noop ) )",
                            f"( START {name} r ( {SMALL_GAME} ) 1 1 )"):
                ask(target, message, 3.0)
        time.sleep(0.2)


def long_clocks(target, end):
    """A START for years, from a host that waits, or is gone."""
    for clock in (31, 3600, 999999999, 10 ** 30):
        for leaves in (True, False):
            if time.monotonic() > end:
                return
            name = f"long.{target.random.randrange(1 << 30)}"
            try:
                with target.connect() as sock:
                    sock.sendall(post(f"( START {name} r ( {SMALL_GAME} ( legal r wait ) ) {clock} {clock} )"))
                    if not leaves:
                        read_all(sock, 1.0)
            except OSError:
                pass
            if not leaves:
                ask(target, f"( PLAY {name} NIL )", 1.0)


def hang_ups(target, end):
    """Hosts that leave while the player thinks, with or without a farewell."""
    for i in range(50):
        if time.monotonic() > end:
            return
        name = f"gone.{target.random.randrange(1 << 30)}"
        for message in (f"( START {name} r ( {SMALL_GAME} ( legal r wait ) ) 5 5 )", f"( PLAY {name} NIL )"):
            try:
                sock = target.connect(timeout=0.5)
                sock.sendall(post(message))
                if i % 3 == 0:
                    sock.shutdown(socket.SHUT_WR)
                time.sleep(0.05)
                (reset if i % 2 else socket.socket.close)(sock)
            except OSError:
                pass
        ask(target, f"( ABORT {name} )", 3.0)


def pages(target, end):
    """What a page in a browser could send for a stranger: it has no effect, and the page learns nothing."""
    fields = ["Origin: http://evil.example", "Origin: null", f"Origin: http://{HOST}:{target.player}",
              "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-origin"]
    for field in fields:
        for method, path, body in (("POST", "/", "( INFO )"), ("OPTIONS", "/", ""), ("GET", "/%28+INFO+%29", ""),
                                   ("POST", "/", f"( START page.{target.random.randrange(1 << 30)} r ( {SMALL_GAME} ) 1 1 )")):
            if time.monotonic() > end:
                return
            try:
                with target.connect() as sock:
                    sock.sendall(post(body, field + "\r\n", method, path))
                    reply = read_all(sock, 5.0).decode(errors="replace")
            except OSError:
                continue
            head = reply.partition("\r\n\r\n")[0]
            if head.startswith("HTTP/1.0 200") or "access-control-allow-origin" in head.lower():
                target.faults.append(f"{method} {path} of a page ({field}) was answered: {head.splitlines()[0]}")


# ---- Rulesheets

def bombs():
    """Rulesheets of one role that grow, never end, or cost nothing for ever."""
    base = "( role r ) ( init ( s 0 ) ) ( <= ( next ( s 0 ) ) ( true ( s 0 ) ) ) ( <= ( goal r 50 ) ( true ( s 0 ) ) ) " \
           "( <= terminal ( true ( s 9 ) ) ) "
    go = "( legal r go ) "
    digits = " ".join(f"( d {i} )" for i in range(100)) + " "
    variables = " ".join(f"?x{i}" for i in range(10))
    body = " ".join(f"( d ?x{i} )" for i in range(10))
    doubling = "( d0 a ) " + " ".join(f"( <= ( d{i + 1} ( s ?x ?x ) ) ( d{i} ?x ) )" for i in range(30)) + " "
    return {
        "constant_playouts": "( role r ) ( init ( s 0 ) ) ( legal r go ) ( next ( s 0 ) ) ( goal r 50 )",
        "state_doubling": "( role r ) ( init ( n z ) ) ( legal r go ) ( <= ( next ( n ( s ?x ?x ) ) ) ( true ( n ?x ) ) ) "
                          "( <= ( goal r 50 ) ( true ( n ?x ) ) ) ( <= terminal ( true ( n q ) ) )",
        "facts_doubling": "( role r ) ( init ( n z ) ) ( legal r go ) ( <= ( next ( n ( a ?x ) ) ) ( true ( n ?x ) ) ) "
                          "( <= ( next ( n ( b ?x ) ) ) ( true ( n ?x ) ) ) ( goal r 50 ) ( <= terminal ( true ( n q ) ) )",
        "big_move": base + doubling + "( <= ( legal r ( big ?x ) ) ( d30 ?x ) )",
        "big_state": base + go + doubling + "( <= ( next ( big ?x ) ) ( d30 ?x ) ) ( <= ( init ( big ?x ) ) ( d30 ?x ) )",
        "many_fluents": "( role r ) " + " ".join(f"( d {i} )" for i in range(1000)) +
                        " ( <= ( init ( c ?x ?y ) ) ( d ?x ) ( d ?y ) ) ( legal r go ) "
                        "( <= ( next ( c ?x ?y ) ) ( true ( c ?x ?y ) ) ) ( <= terminal ( true ( c a b ) ) ) ( goal r 50 )",
        "many_moves": base + " ".join(f"( m {i} )" for i in range(1000)) + " ( <= ( legal r ( p ?x ?y ) ) ( m ?x ) ( m ?y ) )",
        "cross_product": base + go + digits + f"( <= ( next ( h {variables} ) ) {body} )",
        "endless_terms": base + "( nat z ) ( <= ( nat ( s ?x ) ) ( nat ?x ) ) ( <= ( legal r ( go ?x ) ) ( nat ?x ) )",
        "many_moves_by_join": base + digits + "( <= ( legal r ( p ?a ?b ?c ?d ) ) ( d ?a ) ( d ?b ) ( d ?c ) ( d ?d ) )",
        "long_chain": base + "( p0 a ) " + " ".join(f"( <= ( p{i + 1} ?x ) ( p{i} ?x ) )" for i in range(30000)) +
                      " ( <= ( legal r m ) ( p30000 a ) )",
        "growing_network": "( role r ) " + " ".join(f"( d {i} )" for i in range(120)) +
                           " ( <= ( init ( c ?x ?y ) ) ( d ?x ) ( d ?y ) ) ( legal r go ) "
                           "( <= ( next ( c ?x ?z ) ) ( true ( c ?x ?y ) ) ( true ( c ?y ?z ) ) ) "
                           "( <= terminal ( true ( c a b ) ) ) ( goal r 50 )",
        "no_rules": "",
    }


def large_rulesheets():
    """Rulesheets of a few megabytes that are games, and small ones that split into as much."""
    many = range(60000)
    return [SMALL_GAME + more for more in (
        " ".join(f"( f {i} )" for i in many), "( f a ) " * 200000,
        " ".join(f"( <= ( p{i} ?x ) ( q ?x ) )" for i in many),
        "( <= ( p ?x ) " + "( or ( a ?x ) ( b ?x ) ) " * 30 + ")",
        "( <= ( p ?x ) " + "( a ?x ) " * 100000 + ")",
        "( <= p " + " ".join(f"( a ?x{i} )" for i in many) + ")",
        "( <= ( p " + "?x " * 3000 + ") ( p " + "?x " * 3000 + ") )",
        "( base ( s ?x ) ) " + " ".join(f"( <= ( p ?x ) ( not ( p ( f {i} ?x ) ) ) )" for i in range(20000)))]


def bomb_matches(target, end):
    """One rulesheet after the other, each with a few turns, and always brought to its end."""
    names = list(bombs().items())
    target.random.shuffle(names)
    for name, rules in names[:3]:
        if time.monotonic() > end:
            return
        match = f"bomb.{name}.{target.random.randrange(1 << 30)}"
        ask(target, f"( START {match} r ( {rules} ) 2 1 )", 5.0)
        for moves in ("NIL", "( go )", "( go )"):
            ask(target, f"( PLAY {match} {moves} )", 4.0)
        ask(target, f"( STOP {match} ( go ) )" if target.random.random() < 0.5 else f"( ABORT {match} )", 5.0)


def large_matches(target, end):
    """One large rulesheet after the other; every other START is left alone."""
    sheets = large_rulesheets()
    target.random.shuffle(sheets)
    for number, rules in enumerate(sheets[:4]):
        if time.monotonic() > end:
            return
        match = f"large.{target.random.randrange(1 << 30)}"
        ask(target, f"( START {match} r ( {rules} ) 2 1 )", 5.0)
        if number % 2 == 0:
            ask(target, f"( ABORT {match} )", 5.0)


ATTACKS = [chunk_faults, endless_chunk_parts, endless_heads, doubtful_heads, slow_loris, connection_flood, idle_connections,
           large_bodies, whole_large_messages, slow_readers, early_and_half_closers, garbage, start_stop_storm, strangers,
           long_clocks, hang_ups, pages, bomb_matches, large_matches]


# ---- Players that a host has to do with

class HostilePlayer:
    """Listens on a free port and answers each request with another kind of nonsense."""

    CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    REPLIES = [[CHUNKED, b"0\r\n", b"\r", b"\n"], [CHUNKED, b"0\r\nTransfer-Encodit/.\r\n"], [CHUNKED + b"5;"] + [b"x" * 65536] * 50,
               [CHUNKED + b"0\r\nA: "] + [b"x" * 65536] * 50, [b"HTTP/1.1 200 OK\r\nA: "] + [b"x" * 65536] * 50,
               [b"HTTP/1.1 100 Continue\r\n\r\n" * 2000], [b"HTTP/1.0 200 OK\r\n\r\n"] + [b"(" * 65536] * 50,
               [b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nready"], [b"\x16\x03\x01"], [b""],
               [b"HTTP/1.0 200 OK\r\nContent-Length: 999999999999\r\n\r\nready"]]

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.listener = socket.create_server((HOST, 0))
        self.listener.settimeout(0.5)
        self.port = self.listener.getsockname()[1]
        self.ending = False
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        while not self.ending:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                continue
            with sock:
                self.answer(sock)

    def answer(self, sock):
        try:
            sock.settimeout(2.0)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.recv(65536)
            for piece in self.random.choice(self.REPLIES):
                sock.sendall(piece)
                time.sleep(0.001)
        except OSError:
            pass

    def close(self):
        self.ending = True
        self.thread.join()
        self.listener.close()
