# SPDX-License-Identifier: Apache-2.0
"""A real server for tests and benches: started on a free port, stopped or killed at will.

KW_PRESET names the build (release by default). KW_ENDPOINT names a server that already runs; then
none is started, and the same tests can be pointed at anything that speaks the protocol.
"""
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARY = ROOT / "build" / os.environ.get("KW_PRESET", "release") / "keywright"
START_SECONDS = 60  # a sanitizer build under load is slow to start; a broken one must not hang a run
CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1",
    # No look at the machine's own profiles or at the metadata service.
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_PAGER": "",
}


class Server:
    """`keywright serve` with the given options, answering at `endpoint` once constructed."""

    def __init__(self, *options):
        if not BINARY.exists():
            raise SystemExit(f"{BINARY} does not exist: build it first (./dev build)")
        # Every option may come from the environment; a test's server takes none from there.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("KEYWRIGHT_")}
        self._process = subprocess.Popen([str(BINARY), "serve", "--port", "0", *options], stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True, start_new_session=True, env=environment)
        self._output = []
        self._listening = threading.Event()
        self.endpoint = None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._listening.wait(START_SECONDS) or self.endpoint is None:
            self.kill()
            raise RuntimeError("the server did not start:\n" + self.output)
        self._wait_until_it_answers()

    def _read(self):
        for line in self._process.stdout:
            self._output.append(line)
            found = re.search(r"http://[\w.\-\[\]:]*?:(\d+)\b", line)
            if found and self.endpoint is None and found.group(1) != "0":
                self.endpoint = f"http://127.0.0.1:{found.group(1)}"
                self._listening.set()
        self._listening.set()

    def _wait_until_it_answers(self):
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                urllib.request.urlopen(self.endpoint, timeout=5).read()
                return
            except urllib.error.HTTPError:
                return
            except OSError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    self.kill()
                    raise RuntimeError("the server does not answer:\n" + self.output) from None
                time.sleep(0.01)

    @property
    def output(self):
        return "".join(self._output)

    @property
    def pid(self):
        return self._process.pid

    def kill(self):
        self._process.kill()
        self._process.wait()

    def stop(self):
        """Ends it as a user would; returns its exit code."""
        self._process.terminate()
        try:
            return self._process.wait(START_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError("the server did not stop:\n" + self.output) from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process.poll() is None:
            self.stop()


class RunningServer:
    """A server that somebody else started."""

    def __init__(self, endpoint):
        self.endpoint = endpoint

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def memory_server(*options):
    running = os.environ.get("KW_ENDPOINT")
    return RunningServer(running) if running else Server("--memory", *options)


def client_environment(endpoint):
    """What an AWS client needs to talk to `endpoint`, and nothing of the machine's own set-up."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return {**ours, **CREDENTIALS, "AWS_ENDPOINT_URL": endpoint, "AWS_ENDPOINT_URL_DYNAMODB": endpoint}


def main():
    """with_server COMMAND …: runs the command with an endpoint in its environment."""
    with memory_server() as server:
        return subprocess.run(sys.argv[1:], env=client_environment(server.endpoint)).returncode


if __name__ == "__main__":
    sys.exit(main())
