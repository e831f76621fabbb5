#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Keywright beside its peers and writes docs/benchmarks.md.

Each row asks us and the peer back to back in each round, so that ratios are formed within seconds; what
counts is the median ratio and its range. A round whose two passes over nginx differ by more than a
quarter is void. Nothing passes or fails here.
"""
import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Callable

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import rings  # noqa: E402
from peers import ROOT, Dynalite, Keywright, Nginx, Postgres, Redis, cpu_seconds, start_times  # noqa: E402
from wire import Connection  # noqa: E402

VOID_ABOVE = 1.25
DYNALITE = "4.0.0"


@dataclass
class Figures:
    rate: float  # answers a second
    cpu_us: float = 0  # the server's processor time for each
    p99_us: float = 0


@dataclass
class Row:
    number: str
    what: str
    ours: Callable
    peer: Callable
    floor: float
    goal: float
    better: str = "more"  # or "less", where a small ratio is good
    figure: str = "rate"


class Bench:
    """The servers of a run, and a measure for each kind of load."""

    def __init__(self, folder, seconds):
        self.folder = folder
        self.seconds = seconds
        self.started = []
        keys = folder / "keys"
        keys.write_text(f"{rings.ACCESS_KEY} {rings.SECRET}\n")
        self.signed = self.keep(Keywright(folder, "signed", "--keys", str(keys)))
        self.open = self.keep(Keywright(folder, "open"))
        self.relaxed = self.keep(Keywright(folder, "relaxed", "--durability", "relaxed"))
        self.nginx = self.keep(Nginx(folder))
        self.redis = self.keep(Redis(folder))
        self.postgres = self.keep(Postgres(folder))
        node = Path(subprocess.run([ROOT / "tools/node"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip())
        self.dynalite = self.keep(Dynalite(folder, node))
        self.dynalite_disk = self.keep(Dynalite(folder, node, "--path", folder / "dynalite"))

    def keep(self, server):
        self.started.append(server)
        return server

    def stop(self):
        for server in self.started:
            server.stop()

    def load(self):
        with ThreadPoolExecutor(4) as pool:
            for server, items in ((self.open, rings.ITEMS), (self.relaxed, rings.ITEMS), (self.signed, rings.ITEMS),
                                  (self.dynalite, rings.ITEMS_FEW), (self.dynalite_disk, rings.ITEMS_FEW)):
                start = time.monotonic()
                create_table(server)
                list(pool.map(lambda numbers, server=server: put_items(server, numbers), chunks(items, 4)))
                print(f"loaded {items} items in {time.monotonic() - start:.1f} s", flush=True)
        self.redis_benchmark("set", 64, 2)

    # What is asked of a server over HTTP by wrk; `connections` in two threads where there are two.
    def wrk(self, server, workload, connections, page=None, items=rings.ITEMS):
        ring = self.folder / "ring"
        rings.write_ring(ring, workload, f"127.0.0.1:{server.port}", server is self.signed, items)
        if page:
            request = f"GET {page} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            ring.write_bytes(b"%d\n%s" % (len(request), request))
        command = ["wrk", "-t", str(min(2, connections)), "-c", str(connections), "-d", f"{self.seconds}s", "--latency",
                   "-s", ROOT / "bench/wrk/replay.lua", f"http://127.0.0.1:{server.port}/"]
        before = cpu_seconds(server.pid)
        output = subprocess.run(command, env={**os.environ, "KW_REQUESTS": str(ring)}, check=True, stdout=subprocess.PIPE,
                                text=True).stdout
        cpu = cpu_seconds(server.pid) - before
        count, duration_us, errors, _, p99 = map(int, re.search(r"FIGURES (.*)", output).group(1).split())
        if errors or not count:
            raise RuntimeError(f"{workload}: {errors} errors in {count} answers\n{output}")
        return Figures(count / duration_us * 1e6, cpu / count * 1e6, p99)

    def ping(self, server):
        return self.wrk(server, "list", 64, page="/ping" if server is self.nginx else "/healthz")

    def redis_benchmark(self, test, connections, seconds):
        guess = {("get", 64): 40_000, ("set", 64): 20_000, ("set", 1): 3_000}[(test, connections)]
        output = subprocess.run(["redis-benchmark", "-p", str(self.redis.port), "-t", test, "-c", str(connections), "-P", "1",
                                 "-d", "1024", "-r", "100000", "-n", str(int(guess * seconds)), "--csv"],
                                check=True, stdout=subprocess.PIPE, text=True).stdout
        return Figures(float(output.strip().splitlines()[-1].split(",")[1].strip('"')))

    def redis_load(self, test, connections=64):
        return self.redis_benchmark(test, connections, self.seconds)

    def pgbench(self):
        output = subprocess.run(["pgbench", "-n", "-h", "127.0.0.1", "-p", str(self.postgres.port), "-U", "bench", "-M", "prepared",
                                 "-c", "64", "-j", "2", "-T", str(self.seconds), "-f", self.postgres.script, "postgres"],
                                check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        return Figures(float(re.search(r"tps = ([\d.]+)", output).group(1)))

    def db_bench_seek(self):
        """Ten next after a seek, over 100,000 rows of 1 KB that the first call writes."""
        base = ["db_bench", f"--db={self.folder}/db_bench", f"--num={rings.ITEMS}", "--value_size=1024", "--cache_size=2147483648",
                "--bloom_bits=10", "--compression_type=lz4"]
        if not (self.folder / "db_bench").exists():
            subprocess.run([*base, "--benchmarks=fillseq,compact"], check=True, capture_output=True)
        output = subprocess.run([*base, "--use_existing_db=1", "--benchmarks=seekrandom", "--seek_nexts=10", "--threads=2",
                                 f"--duration={self.seconds}"], check=True, capture_output=True, text=True).stdout
        return Figures(float(re.search(r"seekrandom\s.*?(\d+) ops/sec", output).group(1)))

    def paced(self, server, rate):
        ring = self.folder / "ring"
        rings.write_ring(ring, "get", f"127.0.0.1:{server.port}", server is self.signed)
        before = cpu_seconds(server.pid)
        output = subprocess.run([ROOT / "build/bench/paced_client", str(server.port), "64", str(rate), str(self.seconds), ring],
                                check=True, stdout=subprocess.PIPE, text=True).stdout
        sent, answered, _, p99 = map(float, output.split())
        return Figures(answered / self.seconds, (cpu_seconds(server.pid) - before) / sent * 1e6, p99)


def create_table(server):
    connection = Connection(server.endpoint, rings.ACCESS_KEY, rings.SECRET)
    connection.call("CreateTable", TableName=rings.TABLE, BillingMode="PAY_PER_REQUEST",
                    AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
                    KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}])
    while connection.call("DescribeTable", TableName=rings.TABLE)["Table"]["TableStatus"] != "ACTIVE":
        time.sleep(0.05)


def chunks(count, parts):
    return [range(count * part // parts, count * (part + 1) // parts) for part in range(parts)]


def put_items(server, numbers):
    connection = Connection(server.endpoint, rings.ACCESS_KEY, rings.SECRET)
    for start in range(numbers.start, numbers.stop, 25):
        puts = [{"PutRequest": {"Item": rings.item(n)}} for n in range(start, min(start + 25, numbers.stop))]
        connection.call("BatchWriteItem", RequestItems={rings.TABLE: puts})


def rows_of(bench):
    """The table of docs/benchmarks.md, a row a line; `paced` runs at half of what row 2 has shown."""
    b, few = bench, {"items": rings.ITEMS_FEW}
    half_rate = lambda: int(statistics.median(b.get_rates) / 2)

    def get_64():
        figures = b.wrk(b.signed, "get", 64)
        b.get_rates.append(figures.rate)
        return figures

    b.get_rates = []
    return [
        Row("1", "health page, 64 connections / nginx `return 200`", lambda: b.ping(b.open), lambda: b.ping(b.nginx), 0.9, 1.1),
        Row("2", "GetItem 1 KB, signed, 64 / nginx static 1 KB", get_64, lambda: b.wrk(b.nginx, "get", 64), 0.55, 0.75),
        Row("3", "the same, server CPU for each request", get_64, lambda: b.wrk(b.nginx, "get", 64), 2.2, 1.6, "less", "cpu_us"),
        Row("4", "GetItem, 64 / redis GET 1 KB (redis-benchmark -P 1)", get_64, lambda: b.redis_load("get"), 1.1, 1.5),
        Row("5", "durable PutItem 1 KB, 64 / redis SET, appendfsync always", lambda: b.wrk(b.signed, "put", 64), lambda: b.redis_load("set"), 0.8, 1.2),
        Row("6", "durable PutItem, 64 / PostgreSQL upsert, synchronous_commit on", lambda: b.wrk(b.signed, "put", 64), b.pgbench, 2, 3.5),
        Row("7", "durable PutItem, 1 connection / redis SET always", lambda: b.wrk(b.signed, "put", 1), lambda: b.redis_load("set", 1), 0.6, 0.85),
        Row("8", "conditional UpdateItem of one hot key, 64 / of 100,000 keys", lambda: b.wrk(b.open, "guarded", 64, items=1),
            lambda: b.wrk(b.open, "guarded", 64), 0.7, 1.0),
        Row("9", "UpdateItem ADD / PutItem, both without fsync, 64", lambda: b.wrk(b.relaxed, "add", 64), lambda: b.wrk(b.relaxed, "put", 64), 0.6, 0.8),
        Row("11", "Query of 10 × 1 KB, 16 / db_bench seekrandom, 10 next, 2 threads", lambda: b.wrk(b.open, "query", 16), b.db_bench_seek, 0.2, 0.3),
        Row("13a", "GetItem, 16 / dynalite in memory", lambda: b.wrk(b.open, "get", 16), lambda: b.wrk(b.dynalite, "get", 16, **few), 6, 10),
        Row("13b", "durable PutItem, 16 / dynalite in memory", lambda: b.wrk(b.open, "put", 16), lambda: b.wrk(b.dynalite, "put", 16, **few), 3, 5),
        Row("13c", "Query of 10, 16 / dynalite in memory", lambda: b.wrk(b.open, "query", 16), lambda: b.wrk(b.dynalite, "query", 16, **few), 20, 40),
        Row("14a", "GetItem, 16 / dynalite on disk", lambda: b.wrk(b.open, "get", 16), lambda: b.wrk(b.dynalite_disk, "get", 16, **few), 8, 15),
        Row("14b", "durable PutItem, 16 / dynalite on disk (no fsync)", lambda: b.wrk(b.open, "put", 16), lambda: b.wrk(b.dynalite_disk, "put", 16, **few), 4, 6),
        Row("15", "durable BatchWriteItem 25 × 1 KB, 16 / dynalite in memory", lambda: b.wrk(b.open, "batch", 16),
            lambda: b.wrk(b.dynalite, "batch", 16, **few), 10, 25),
        Row("16", "GetItem signed / not signed, 64", get_64, lambda: b.wrk(b.open, "get", 64), 0.8, 0.92),
        Row("20", "p99 at half of our own rate, GetItem, 64 / nginx at the same rate", lambda: b.paced(b.signed, half_rate()),
            lambda: b.paced(b.nginx, half_rate()), 3, 1.5, "less", "p99_us"),
    ]


def run_rounds(bench, rows, rounds):
    """Per row the pairs of figures of the rounds that stand, and how many rounds were void."""
    pairs, void = {row.number: [] for row in rows}, 0
    for number in range(rounds):
        before = bench.wrk(bench.nginx, "get", 64).rate
        taken = {}
        for row in rows:
            first, second = (row.ours, row.peer) if number % 2 else (row.peer, row.ours)
            figures = [first(), second()]
            taken[row.number] = tuple(figures if number % 2 else figures[::-1])
        after = bench.wrk(bench.nginx, "get", 64).rate
        drift = max(before, after) / min(before, after)
        print(f"round {number + 1} of {rounds}: nginx {before:,.0f} and {after:,.0f} a second{', void' * (drift > VOID_ABOVE)}", flush=True)
        if drift > VOID_ABOVE:
            void += 1
        else:
            for key, pair in taken.items():
                pairs[key].append(pair)
    return pairs, void


def report(rows, pairs, void, rounds, start_ms, idle_mb, seconds):
    lines = [f"| {row.number} | {row.what} | {summary(row, pairs[row.number])} |" for row in rows]
    start_state = grade(start_ms, 300, 100, "less"), grade(idle_mb, 80, 40, "less")
    lines.append(f"| 19 | start on an empty folder to the first answer; resident memory when idle | {start_ms:.0f} ms ({start_state[0]}); "
                 f"{idle_mb:.0f} MB ({start_state[1]}) | 300 ms; 80 MB | 100 ms; 40 MB | | | |")
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return f"""# Benchmarks

Made by `./dev bench` on {date.today()}: {cpu.group(1) if cpu else platform.machine()}, {os.cpu_count()} cores, Linux
{platform.release().split('-')[0]}, client and server on the same machine, {rounds} rounds of {seconds} s a measure, {void} of
them void. **Read the ratios**: us over the peer, formed within each round from neighbouring runs; median and range. Rates say
little about another machine. A round whose two passes over nginx differ by more than a quarter is void and left out.

| # | us / peer | ratio | floor | goal | ours | peer | our CPU |
|---|---|---|---|---|---|---|---|
{chr(10).join(lines)}

*Met* is a goal reached, *floor* one not reached whose floor is, *below* neither. In rows 3, 19 and 20 less is better; CPU is
the server's time for each request. nginx answers from memory without looking at the body, dynalite neither checks
signatures nor waits for the disk, and redis-benchmark, not Redis, is the limit of row 4.

The puts of rows 5 to 7, 13b, 14b and 15 change what they write: an equal item would cost no write. On a machine where
dynalite answers as fast as here, the goals of rows 13a and 14a lie near what nginx itself reaches, or above it.

Not measured here: TLS, pipelining, data larger than memory, many cores, long runs with compaction. Rows 10 and 12 of the
goals compare the storage layer alone, rows 17 and 18 the SQL workbench, which does not exist yet.
"""


def summary(row, pairs):
    if not pairs:
        return "void | " + f"{row.floor:g} | {row.goal:g} | | |"
    value = lambda figures: getattr(figures, row.figure)
    ratios = sorted(value(ours) / value(peer) for ours, peer in pairs)
    ratio = statistics.median(ratios)
    median = lambda side: statistics.median(value(pair[side]) for pair in pairs)
    unit = {"rate": "/s", "cpu_us": " µs", "p99_us": " µs"}[row.figure]
    shown = lambda number: f"{number:,.0f}{unit}" if number >= 100 else f"{number:.1f}{unit}"
    cpu = statistics.median(ours.cpu_us for ours, _ in pairs)
    return (f"**{ratio:.2f}** [{ratios[0]:.2f}..{ratios[-1]:.2f}] {grade(ratio, row.floor, row.goal, row.better)} | {row.floor:g} | "
            f"{row.goal:g} | {shown(median(0))} | {shown(median(1))} | {cpu:.1f} µs")


def grade(value, floor, goal, better):
    reached = (lambda limit: value <= limit) if better == "less" else (lambda limit: value >= limit)
    return "met" if reached(goal) else "floor" if reached(floor) else "below"


def install():
    """What apt does not have: dynalite, and our own paced client."""
    folder = ROOT / "build/bench"
    folder.mkdir(parents=True, exist_ok=True)
    package = folder / "node_modules/dynalite/package.json"
    if not package.exists() or json.loads(package.read_text())["version"] != DYNALITE:
        subprocess.run(["npm", "install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", "--loglevel=error",
                        f"dynalite@{DYNALITE}"], check=True)
    source = ROOT / "bench/paced_client.cc"
    if not (folder / "paced_client").exists() or (folder / "paced_client").stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["g++", "-std=c++20", "-O2", "-o", folder / "paced_client", source], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", help="row numbers; all without")
    parser.add_argument("--quick", action="store_true", help="one round of 1 s, nothing written")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    rounds, seconds = (1, 1) if arguments.quick else (arguments.rounds, 2)
    install()
    folder = Path(tempfile.mkdtemp(prefix="bench-", dir=ROOT / "build"))
    folder.chmod(0o755)  # PostgreSQL runs as its own user
    start_ms, idle_mb = start_times(folder, 5)
    bench = Bench(folder, seconds)
    try:
        bench.load()
        rows = [row for row in rows_of(bench) if not arguments.rows or row.number in arguments.rows]
        pairs, void = run_rounds(bench, rows, rounds)
    finally:
        bench.stop()
        shutil.rmtree(folder)
    text = report(rows, pairs, void, rounds, start_ms, idle_mb, seconds)
    print(text)
    if not arguments.quick and not arguments.rows:
        (ROOT / "docs/benchmarks.md").write_text(text)


if __name__ == "__main__":
    sys.exit(main())
