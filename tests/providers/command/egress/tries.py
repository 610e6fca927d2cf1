"""What an agent may send to the proxy, with what must become of it; P stands for the port of the servers."""

PUBLIC, OWN = "127.0.0.2", "127.0.0.1"
LISTED = (
    "files.example:P",
    "api.example",
    "xn--bcher-kva.example:P",
    *(f"{name}.example:P" for name in ("mixed", "own", "private", "metadata", "cgnat", "mapped", "nat64")),
    *(f"{name}.example:P" for name in ("multicast", "unspecified", "zone", "garbage", "empty", "nowhere")),
    "closed.example:C",
)
NAMES = {
    "files.example": [PUBLIC],
    "api.example": [PUBLIC],
    "closed.example": [PUBLIC],
    "xn--bcher-kva.example": [PUBLIC],
    "evil.example": [PUBLIC],
    "sub.files.example": [PUBLIC],
    "mixed.example": [OWN, "10.0.0.1", PUBLIC],
    "own.example": [OWN],
    "private.example": ["10.0.0.1", "192.168.1.1", "172.31.0.1", "fd00::1"],
    "metadata.example": ["169.254.169.254", "fe80::1", "168.63.129.16"],
    "cgnat.example": ["100.64.0.1"],
    "mapped.example": ["::ffff:127.0.0.2", "::ffff:8.8.8.8"],
    "nat64.example": ["64:ff9b::7f00:1", "2002:7f00:1::1", "2001:0:7f00:1::"],
    "multicast.example": ["224.0.0.1", "ff02::1", "255.255.255.255"],
    "unspecified.example": ["0.0.0.0", "::"],  # noqa: S104  # an address to refuse
    "zone.example": ["2606:4700::1111%lo"],
    "garbage.example": ["2130706433", "0x7f.1", "localhost", ""],
    "empty.example": [],
}
GET = "GET / HTTP/1.1\r\nHost: inner\r\n\r\n"


def connect(target: str) -> str:
    """Return a request for a tunnel, with a first request through it."""
    return f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n{GET}"


def get(target: str, *fields: str) -> str:
    """Return a plain request by a whole address."""
    return "\r\n".join((f"GET {target} HTTP/1.1", "Host: files.example:P", *fields, "", ""))


ALLOWED = [
    connect("files.example:P"),
    connect("FILES.Example:P"),
    connect("files.example.:P"),
    connect("xn--bcher-kva.example:P"),
    connect("mixed.example:P"),
    connect("files.example:P").replace("1.1", "1.0"),
    get("http://files.example:P/"),
    get("http://FILES.example.:P/a?b=c@evil.example"),
    get("http://files.example:P"),
    get("http://files.example:P/", "Proxy-Authorization: Basic secret", "Proxy-Connection: keep-alive"),
    get("http://files.example:P/").replace("Host: files.example:P", "Host: evil.example"),
    "POST http://files.example:P/ HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody",
]
NOT_LISTED = [
    *(connect(f"{host}:P") for host in ("evil.example", "sub.files.example", "files.example.evil.example")),
    *(
        connect(f"{host}:P")
        for host in ("xfiles.example", "example", "files", "files.example..", ".files.example")
    ),
    *(
        connect(f"{host}:P")
        for host in ("-files.example", "files_.example", "xn--files-.example", "localhost")
    ),
    *(connect(f"files.example:{port}") for port in ("22", "80", "443")),
    connect("api.example:P"),
    connect("api.example:8443"),
    # Addresses in place of names, in every spelling that some resolver takes.
    *(connect(f"{host}:P") for host in (PUBLIC, OWN, "127.2", "2130706434", "0x7f000002", "0x7f.0.0.2")),
    *(
        connect(f"{host}:P")
        for host in ("017700000002", "0177.0.0.2", "127.0.0.02", "0", "0.0.0.0", "127.0.0.0x2")  # noqa: S104  # as above
    ),
    *(connect(f"{host}:P") for host in ("[::1]", "[::ffff:127.0.0.2]", "[::ffff:7f00:2]", "[::127.0.0.2]")),
    *(connect(f"{host}:P") for host in ("[64:ff9b::7f00:2]", "[2606:4700::1111]", "[::]")),
    connect("169.254.169.254:80"),
    connect("metadata.google.internal:80"),
    get("http://evil.example:P/"),
    get("http://files.example/"),
    get("http://127.0.0.2:P/"),
    get("http://[::1]:P/"),
    get("http://2130706434:P/"),
]
MALFORMED = [
    # Who is meant depends on the reader.
    connect("user:password@files.example:P"),
    connect("files.example:P@evil.example:P"),
    connect("files.example:P:P"),
    *(connect(f"files.example:{port}") for port in ("0", "65536", "99999")),
    connect("http://files.example:P/"),
    connect("files.example"),
    connect("files.example:"),
    connect("files.example: P"),
    connect("files.example:+P"),
    connect("files.example:P/path"),
    connect("files.example:P#.evil.example"),
    connect("[fe80::1%25lo]:P"),
    connect("[files.example]:P"),
    connect("[fade.example]:P"),
    connect("files%2eexample:P"),
    connect("bücher.example:P"),
    connect("files。example:P"),
    connect("\uff46iles.example:P"),
    get("http://user@files.example:P/"),
    get("http://files.example:P@evil.example:P/"),
    get("http://files.example:P\\@evil.example:P/"),
    get("http://files.example?.evil.example:P/"),
    get("http:///files.example:P/"),
    get("HTTP://files.example:P/"),
    # Not for a proxy, or for another one.
    get("https://files.example:P/"),
    get("ftp://files.example:P/"),
    get("file:/etc/passwd"),
    get("/"),
    get("//files.example:P/"),
    get("*"),
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    connect("files.example:P").replace("HTTP/1.1", "HTTP/0.9", 1),
    connect("files.example:P").replace("CONNECT", "connect"),
    connect("files.example:P").replace("CONNECT ", "CONNECT  "),
    "\x05\x01\x00",
    "\x04\x01\x00\x50\x7f\x00\x00\x02\x00",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "\r\n\r\n",
    "",
    # Two requests in one, to some readers.
    connect("files.example:P\rHost: evil.example"),
    connect("files.example:P\nHost: evil.example"),
    connect("files.example:P HTTP/1.1\nCONNECT evil.example:P"),
    get("http://files.example:P/ HTTP/1.1\nHost: evil.example\nX: "),
    get("http://files.example:P/\x00"),
    get("http://files.example:P/a b"),
    get("http://files.example:P/", "X: a\nHost: evil.example"),
    get("http://files.example:P/", "X: a\rHost: evil.example"),
    get("http://files.example:P/", "X: a\x00b"),
    get("http://files.example:P/", " folded: evil.example"),
    get("http://files.example:P/", "Host : evil.example"),
    get("http://files.example:P/", "no colon"),
    get("http://files.example:P/", "X: " + 70_000 * "a"),
]
OTHERS = {
    "not_public": [
        *(
            connect(f"{name}.example:P")
            for name in ("own", "private", "metadata", "cgnat", "mapped", "nat64")
        ),
        *(connect(f"{name}.example:P") for name in ("multicast", "unspecified", "zone", "garbage", "empty")),
        get("http://own.example:P/"),
    ],
    "unknown_host": [connect("nowhere.example:P"), get("http://nowhere.example:P/")],
    "unreachable": [connect("closed.example:C"), get("http://closed.example:C/")],
}
VERDICTS = {"allowed": ALLOWED, "not_listed": NOT_LISTED, "malformed": MALFORMED, **OTHERS}
TRIES = [(verdict, request) for verdict, requests in VERDICTS.items() for request in requests]
