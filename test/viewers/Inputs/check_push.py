"""Sends profiles by hcct-push to stores of its own, on 127.0.0.1, and holds what arrives against hcct-decode's json and what it knows of the run.

usage: check_push.py HCCT-PUSH HCCT-DECODE PROGRAM

The protobuf is read by wire.py, the form by Python's email package.
"""
import base64
import collections
import email
import gzip
import http.server
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

from wire import fields

push, decode, program = sys.argv[1:4]
ARGUMENTS = ["1,2", "20000"]  # so many that not all contexts are hot
SECRET = "Bearer s3cret-token"


class Store(http.server.ThreadingHTTPServer):
    """Keeps its requests; `answer` is the status and the text, or what to do instead."""

    def __init__(self, answer=(200, b""), headers=()):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer, self.headers, self.requests, self.command_lines, self.pid = answer, headers, [], [], None
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.is_done = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_POST(self):
        store = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        store.requests.append((self.path, self.headers, body))
        if store.answer == "close":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if store.answer == "wait":
            store.is_done.wait()
            return
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    store.command_lines.append(file.read())
            except OSError:
                pass
        self.send_response(store.answer[0])
        for name, value in store.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(store.answer[1])))
        self.end_headers()
        self.wfile.write(store.answer[1])

    do_GET = do_PUT = do_CONNECT = do_POST


def run(*arguments, **environment):
    done = subprocess.run([push, *arguments], check=False, capture_output=True, text=True, timeout=60, env={**os.environ, **environment})
    assert "s3cret" not in done.stdout + done.stderr, done
    return done


def same(name, found, wanted):
    assert found == wanted, f"{name}: {found!r} instead of {wanted!r}"


def sums_of_json(file):
    """The json, and the sums by call path and type."""
    data = json.loads(subprocess.run([decode, "--all", "--format=json", file], check=True, capture_output=True, text=True).stdout)
    sums = collections.Counter()
    for node in data["nodes"]:
        if node["count"] is not None:
            path, at = [], node
            while at:
                path.append(data["frames"][at["frame"]]["function"])
                at = data["nodes"][at["parent"]] if at["parent"] >= 0 else None
            sums[tuple(path), "calls"] += node["count"]
            sums[tuple(path), "error"] += node["error"]
    return data, +sums


def sums_of_pprof(data):
    """Sums by call path and type, and the fields that are there once."""
    profile = list(fields(gzip.decompress(data)))
    strings = [value.decode() for number, value in profile if number == 6]
    functions = {entry[1]: strings[entry[2]] for entry in (dict(fields(value)) for number, value in profile if number == 5)}
    locations = {}
    for location in (list(fields(value)) for number, value in profile if number == 4):
        locations[dict(location)[1]] = [functions[dict(fields(value))[1]] for number, value in location if number == 4]

    def numbers(value):
        """Those of a packed list."""
        found, number, shift = [], 0, 0
        for byte in value:
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                found.append(number)
                number = shift = 0
        return found

    types = [strings[dict(fields(value))[1]] for number, value in profile if number == 1]
    sums = collections.Counter()
    for sample in (list(fields(value)) for number, value in profile if number == 2):
        path = tuple(function for location in numbers(dict(sample)[1]) for function in locations[location])
        for kind, value in zip(types, numbers(dict(sample)[2])):
            sums[path, kind] += value
    single = dict(profile)
    period = dict(fields(single[11]))
    return +sums, single, (strings[period[1]], strings[period[2]])


def check_profile(pprof, file, began, ended):
    sums, single, period = sums_of_pprof(pprof)
    data, wanted = sums_of_json(file)
    same("sums", sums, wanted)
    same("calls", sum(sums.values()), data["calls"])
    same("period", (period, single[12]), (("calls", "count"), 1))
    assert began <= single[9] <= ended and 0 < single[10] <= ended - began, (began, single[9], single[10], ended)


def form_of(headers, body):
    message = email.message_from_bytes(b"Content-Type: " + headers["Content-Type"].encode() + b"\r\n\r\n" + body)
    return {part.get_param("name", header="Content-Disposition"): part.get_payload(decode=True) for part in message.get_payload()}


def profile_run(name):
    """Runs the program; gives its labels as the kernel knows them, and the times around it. A start is known to a tick of the kernel's clock."""
    began = time.time_ns() - 1_000_000_000
    process = subprocess.Popen([program, *ARGUMENTS], env={**os.environ, "HCCT_OPTIONS": f"mode=cct:output={name}"})
    same("status", process.wait(), 0)
    data, _ = sums_of_json(name)
    return {"host": socket.gethostname(), "pid": str(process.pid), "build": data["build"], "command": " ".join([program, *ARGUMENTS])}, began, time.time_ns()


def to_pyroscope(labels, began, ended):
    store = Store()
    done = run("--name=web shop/é", "--label=region=eu{1}", "--header=Authorization: " + SECRET, store.url + "/", "all/a.bin")
    same("result", (done.returncode, done.stdout, done.stderr), (0, f"sent 1 profile to {store.url}\n", ""))
    (path, headers, body), = store.requests
    url = urllib.parse.urlsplit(path)
    query = urllib.parse.parse_qs(url.query, strict_parsing=True)
    same("path", url.path, "/ingest")
    same("query", set(query), {"name", "from", "until", "spyName"})
    assert began // 10**9 <= int(query["from"][0]) < int(query["until"][0]) <= ended // 10**9 + 1, query
    name, text = re.fullmatch(r"([^{]*)\{([^{}]*)\}", query["name"][0]).groups()
    same("name", name, "web_shop/__")
    same("labels", dict(pair.split("=", 1) for pair in text.split(",")), {**labels, "command": labels["command"].replace(",", "_"), "region": "eu_1_"})
    same("authorization", headers["Authorization"], SECRET)
    form = form_of(headers, body)
    same("fields", set(form), {"profile", "sample_type_config"})
    same("config", json.loads(form["sample_type_config"])["error"]["display-name"], "calls")
    check_profile(form["profile"], "all/a.bin", began, ended)
    command_lines = [line for line in store.command_lines if b"--header=Authorization" in line]
    assert command_lines and not any(b"s3cret" in line for line in command_lines), command_lines


def to_parca(labels, began, ended):
    store = Store()
    for arguments in (["--to=parca", store.url], [store.url + "/profiles/writeraw"]):
        same("result", run(*arguments, "--label=host=other", "all/a.bin").returncode, 0)
    for path, headers, body in store.requests:
        same("path and type", (path, headers["Content-Type"]), ("/profiles/writeraw", "application/json"))
        data = json.loads(body)
        same("normalized", data.pop("normalized"), True)
        same("rest", list(data), ["series"])
        series, = data["series"]
        pairs = [(label["name"], label["value"]) for label in series["labels"]["labels"]]
        same("labels", dict(pairs), {**labels, "host": "other", "__name__": "hcct", "job": os.path.basename(program)})
        same("labels once", len(pairs), len(dict(pairs)))
        sample, = series["samples"]
        check_profile(base64.b64decode(sample["raw_profile"], validate=True), "all/a.bin", began, ended)
    same("requests", len(store.requests), 2)


def many():
    store = Store()
    done = run(store.url, "all")
    same("folder", (done.returncode, done.stdout, len(store.requests)), (0, f"sent 2 profiles to {store.url}\n", 2))
    done = run(store.url, "all/a.bin", "bad.bin", "all/b.bin")
    assert done.returncode == 1 and "hcct-push: bad.bin: " in done.stderr and done.stderr.endswith("sent 1 before that\n"), done
    same("until the bad one", len(store.requests), 3)
    done = run("--keep-going", store.url, "all/a.bin", "bad.bin", "all/b.bin")
    assert done.returncode == 0 and "hcct-push: bad.bin: " in done.stderr and done.stderr.endswith("left out 1 of 3 files\n"), done
    same("without the bad one", len(store.requests), 5)
    done = run("--keep-going", store.url, "bad.bin")
    assert done.returncode == 1 and "there was no profile to send" in done.stderr, done


def faults():
    header = "--header=Authorization: " + SECRET
    store = Store((500, b"disk is\n\x1b[31mfull"))
    done = run(header, "--keep-going", store.url, "all")
    same("500", (done.returncode, done.stderr), (1, f"hcct-push: {store.url}: not taken: HTTP status 500: disk is  [31mfull\n"))
    same("one attempt", len(store.requests), 1)
    done = run(header, Store((401, b"who?")).url, "all/a.bin")
    assert done.returncode == 1 and "HTTP status 401: who?; --header=" in done.stderr, done
    done = run(header, Store("close").url, "all/a.bin")
    assert done.returncode == 1 and ": not sent: " in done.stderr, done
    silent = Store("wait")
    done = run(header, "--timeout=1", silent.url, "all/a.bin")
    silent.is_done.set()
    assert done.returncode == 1 and "--timeout=SECONDS waits longer" in done.stderr, done
    with socket.socket() as taken:  # nobody listens there, and nobody else can
        taken.bind(("127.0.0.1", 0))
        done = run(header, f"http://127.0.0.1:{taken.getsockname()[1]}", "all/a.bin")
        assert done.returncode == 1 and "does the store run, and does it listen there?" in done.stderr, done


def only_there():
    """Neither a redirection nor the environment leads to another server; a password is sent, and not shown."""
    other = Store()
    store = Store((307, b""), [("Location", other.url + "/ingest")])
    done = run(store.url, "all/a.bin")
    assert done.returncode == 1 and "redirections are not followed" in done.stderr, done
    store = Store()
    proxies = {name: other.url for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")}
    done = run(store.url.replace("//", "//me:s3cret@"), "all/a.bin", **proxies, no_proxy="")
    same("with a proxy", (done.returncode, len(store.requests)), (0, 1))
    same("password", store.requests[0][1]["Authorization"], "Basic " + base64.b64encode(b"me:s3cret").decode())
    same("requests to others", other.requests, [])


def usage():
    url = "http://127.0.0.1:1"
    for arguments in ([], ["all/a.bin"], ["ftp://127.0.0.1"], ["http://"], [url + "/?token=1"], ["--to=file", url], ["--label=a", url], ["--label=__a=b", url],
                      ["--label=a b=c", url], ["--header=" + SECRET, url], ["--header=A: s3cret\nB: c", url], ["--timeout=0", url], ["--name=", url]):
        same(f"status of {arguments}", run(*arguments).returncode, 2)


os.mkdir("all")
with open("bad.bin", "wb") as bad:
    bad.write(b"no profile")
about = profile_run("all/a.bin")
profile_run("all/b.bin")
to_pyroscope(*about)
to_parca(*about)
many()
faults()
only_there()
usage()
print("all as it should be")
