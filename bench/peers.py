# SPDX-License-Identifier: Apache-2.0
"""The servers of the benchmark: each starts on a free port with data in a folder of the run, and says
how much processor time it has used."""
import os
import pwd
import shutil
import socket
import subprocess
import time
from pathlib import Path

from server import ROOT, Server

TICKS = os.sysconf("SC_CLK_TCK")
ANSWER = "x" * 1053  # as long as the service's JSON of a 1 KB item


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port, seconds=20):
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def descendants(pid):
    """`pid` and every process below it."""
    found = [pid]
    for parent in found:
        try:
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        except OSError:
            continue
        found += map(int, children)
    return found


def cpu_seconds(pid):
    ticks = 0
    for process in descendants(pid):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS


class Peer:
    """A process that listens on `port`."""

    def __init__(self, command, port, **options):
        self.port = port
        self._process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                         **options)
        try:
            wait_for_port(port)
        except OSError:
            self.stop()
            raise RuntimeError(f"{command[0]} did not start") from None

    @property
    def pid(self):
        return self._process.pid

    def stop(self):
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Nginx(Peer):
    """Static answers from memory: what HTTP alone costs."""

    def __init__(self, folder):
        port = free_port()
        config = folder / "nginx.conf"
        config.write_text(f"""
            daemon off; worker_processes {os.cpu_count()}; pid {folder}/nginx.pid; error_log /dev/null crit;
            events {{ worker_connections 1024; }}
            http {{
              access_log off; keepalive_requests 1000000000; client_body_temp_path {folder}/nginx-body;
              server {{
                listen 127.0.0.1:{port} reuseport; default_type application/x-amz-json-1.0;
                location /ping {{ return 200 "healthy"; }}
                location / {{ return 200 "{ANSWER}"; }}
              }}
            }}""")
        super().__init__(["nginx", "-e", "/dev/null", "-c", config], port)


class Redis(Peer):
    def __init__(self, folder):
        port = free_port()
        (folder / "redis").mkdir()
        super().__init__(["redis-server", "--port", port, "--dir", folder / "redis", "--save", "", "--appendonly", "yes",
                          "--appendfsync", "always", "--bind", "127.0.0.1"], port)


class Postgres(Peer):
    def __init__(self, folder):
        port = free_port()
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        data = folder / "postgres"
        # It refuses to run as root.
        user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        data.mkdir(mode=0o700)
        shutil.chown(data, user)
        subprocess.run([programs / "initdb", "-D", data, "-A", "trust", "-U", "bench", "--no-sync"], user=user, check=True,
                       stdout=subprocess.DEVNULL, cwd="/")
        super().__init__([programs / "postgres", "-D", data, "-p", port, "-k", data, "-c", "listen_addresses=127.0.0.1",
                          "-c", "synchronous_commit=on", "-c", "max_connections=100"], port, user=user, cwd="/")
        time.sleep(0.5)  # it listens before it has recovered
        self.psql("CREATE TABLE item (id int PRIMARY KEY, body text)")
        self.psql("INSERT INTO item SELECT n, repeat('x', 1024) FROM generate_series(1, 100000) n")
        self.script = folder / "upsert.sql"
        self.script.write_text("\\set id random(1, 100000)\nINSERT INTO item VALUES (:id, repeat('y', 1024)) "
                               "ON CONFLICT (id) DO UPDATE SET body = excluded.body;\n")

    def psql(self, statement):
        subprocess.run(["psql", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-U", "bench", "-d", "postgres", "-c", statement],
                       check=True, stdout=subprocess.DEVNULL)


class Dynalite(Peer):
    def __init__(self, folder, node, *options):
        port = free_port()
        program = ROOT / "build/bench/node_modules/dynalite/cli.js"
        super().__init__([node / "node", program, "--port", port, "--createTableMs", 1, *options], port)
        self.endpoint = f"http://127.0.0.1:{port}"


class Keywright:
    """`keywright serve`, on disk unless the options say otherwise."""

    def __init__(self, folder, name, *options):
        self._server = Server("--data", str(folder / name), *options)
        self.endpoint = self._server.endpoint
        self.port = int(self.endpoint.rpartition(":")[2])
        self.pid = self._server.pid

    def stop(self):
        self._server.stop()


def start_times(folder, rounds):
    """(milliseconds to the first answer, resident megabytes when idle) of a server on an empty folder."""
    times, sizes = [], []
    for number in range(rounds):
        start = time.monotonic()
        with Server("--data", str(folder / f"start{number}")) as server:
            times.append((time.monotonic() - start) * 1000)
            time.sleep(0.3)
            status = Path(f"/proc/{server.pid}/status").read_text()
            sizes.append(int(status.split("VmRSS:")[1].split()[0]) / 1024)
    return sorted(times)[rounds // 2], sorted(sizes)[rounds // 2]
