# SPDX-License-Identifier: Apache-2.0
"""A proxy between a client and the server that reads along: what was called, what was answered, and
whether the answers fit the SDKs' model. It damages one answer on purpose, to see the client notice."""
import http.client
import json
import sys
import threading
import urllib.parse
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from model import check_reply, sdk_operations  # noqa: E402

# What any operation may answer: the framework's, in no model.
COMMON_ERRORS = {"ValidationException", "SerializationException", "UnknownOperationException", "AccessDeniedException"}
DAMAGED_KEY = {"customer": {"S": "damaged"}, "order": {"S": "once"}}  # of the GetItem whose answer is damaged


class WireReader:
    """`endpoint` leads to the server at `upstream`; `faults` and `succeeded` say what came by."""

    def __init__(self, upstream):
        self.upstream = urllib.parse.urlsplit(upstream)
        self.operations = sdk_operations()
        self.faults = []
        self.succeeded = set()
        self.members = set()  # (structure, member) of answers
        self.errors = set()
        self.damaged = 0
        self.lock = threading.Lock()
        reader = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                reader.pass_on(self)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.endpoint = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def pass_on(self, handler):
        body = handler.rfile.read(int(handler.headers.get("content-length", 0)))
        connection = http.client.HTTPConnection(self.upstream.hostname, self.upstream.port, timeout=60)
        headers = {name: value for name, value in handler.headers.items() if name.lower() != "connection"}
        connection.request("POST", handler.path, body, headers)
        reply = connection.getresponse()
        answer = reply.read()
        crc = reply.headers.get("x-amz-crc32")
        with self.lock:
            if self.read(handler.headers.get("x-amz-target", ""), body, reply.status, answer, crc):
                crc = str(int(crc) ^ 1)
        handler.send_response_only(reply.status)
        for name, value in reply.headers.items():
            if name.lower() not in ("connection", "transfer-encoding", "x-amz-crc32"):
                handler.send_header(name, value)
        handler.send_header("x-amz-crc32", crc)
        handler.end_headers()
        handler.wfile.write(answer)
        connection.close()

    def read(self, target, body, status, answer, crc):
        """Notes one exchange; whether its answer is to be damaged."""
        name = target.partition(".")[2]
        if crc != str(zlib.crc32(answer)):
            self.faults.append(f"{name}: x-amz-crc32 is {crc}, not {zlib.crc32(answer)}")
        reply = json.loads(answer or "{}")  # TagResource answers nothing at all
        operation = self.operations.get(name)
        if operation is None:
            self.faults.append(f"{target}: the SDKs have no such operation")
        elif status == 200:
            self.succeeded.add(name)
            if operation.output:
                self.check(operation.shapes, operation.output, reply, name)
        else:
            error = reply.pop("__type", "").partition("#")[2]
            self.errors.add(error)
            if error in operation.errors:
                self.check(operation.shapes, error, reply, f"{name} {error}")
            elif error not in COMMON_ERRORS:
                self.faults.append(f"{name}: {error} is no error of this operation")
        if name == "GetItem" and json.loads(body).get("Key") == DAMAGED_KEY:
            self.damaged += 1
            return self.damaged == 1
        return False

    def check(self, shapes, structure, reply, name):
        self.faults += [f"{name}: {fault}" for fault in check_reply(shapes, structure, reply, structure, self.members)]
