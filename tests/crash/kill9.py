#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writers against a server that is killed at random moments: nothing acknowledged may be lost, nothing
may be half done, and indexes must agree with their table. KW_KILL9_ROUNDS and KW_KILL9_SEED set how
often and how; a failure prints the seed and keeps the data folder.

Each writer owns its keys and waits for each answer, so that after a crash exactly one call a writer is in
doubt: the state must be the one before it or the one after it, and nothing else.
Killing the process shows that answers wait for the write-ahead log to reach the kernel, not that they
wait for the disk.
"""
import http.client
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from server import Server  # noqa: E402
from wire import Connection, ServiceError  # noqa: E402

ROUNDS = int(os.environ.get("KW_KILL9_ROUNDS", "15"))
SEED = int(os.environ.get("KW_KILL9_SEED", str(random.SystemRandom().randrange(1 << 32))))
ACCOUNTS = [f"account{n}" for n in range(8)]
START_BALANCE = 1000
LAG_MS = 200
LAG_SECONDS_MAX = 10  # the lag and what a loaded machine adds
NO_ANSWER = (OSError, http.client.HTTPException, ValueError)  # the connection broke, perhaps inside a reply


def string(value):
    return {"S": str(value)}


def number(value):
    return {"N": str(value)}


def create_tables(connection):
    def key(**names):
        return [{"AttributeName": name, "KeyType": kind} for kind, name in names.items()]

    connection.call(
        "CreateTable", TableName="Rows", BillingMode="PAY_PER_REQUEST", KeySchema=key(HASH="pk", RANGE="sk"),
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind}
                              for name, kind in (("pk", "S"), ("sk", "S"), ("group", "S"), ("version", "N"))],
        GlobalSecondaryIndexes=[{"IndexName": "byGroup", "KeySchema": key(HASH="group", RANGE="version"),
                                 "Projection": {"ProjectionType": "ALL"}}],
        LocalSecondaryIndexes=[{"IndexName": "byVersion", "KeySchema": key(HASH="pk", RANGE="version"),
                                "Projection": {"ProjectionType": "ALL"}}])
    for table in ("Counters", "Accounts", "Ledger"):
        connection.call("CreateTable", TableName=table, BillingMode="PAY_PER_REQUEST", KeySchema=key(HASH="id"),
                        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])
    for table in ("Rows", "Counters", "Accounts", "Ledger"):
        while connection.call("DescribeTable", TableName=table)["Table"]["TableStatus"] != "ACTIVE":
            time.sleep(0.01)
    for account in ACCOUNTS:
        connection.call("PutItem", TableName="Accounts", Item={"id": string(account), "balance": number(START_BALANCE)})


class RowWriter:
    """Puts, updates and deletes its own rows of a table with both kinds of index."""

    def __init__(self, name, seed):
        self.name = name
        self.random = random.Random(seed)
        self.rows = {}  # sk → item that was acknowledged
        self.doubt = None  # (sk, item or None) of the call without an answer
        self.version = 0
        self.acknowledged = 0

    def step(self, connection):
        self.version += 1
        sk = f"row{self.random.randrange(60):02}"
        key = {"pk": string(self.name), "sk": string(sk)}
        if self.random.random() < 0.2:
            self.doubt = (sk, None)
            connection.call("DeleteItem", TableName="Rows", Key=key)
        elif sk in self.rows and self.random.random() < 0.4:
            group = f"group{self.random.randrange(3)}"
            self.doubt = (sk, {**self.rows[sk], "group": string(group), "version": number(self.version)})
            connection.call("UpdateItem", TableName="Rows", Key=key, UpdateExpression="SET #group = :group, version = :version",
                            ExpressionAttributeNames={"#group": "group"},
                            ExpressionAttributeValues={":group": string(group), ":version": number(self.version)})
        else:
            item = {**key, "version": number(self.version), "body": string("x" * self.random.randrange(2000))}
            if self.random.random() < 0.7:  # else it is in no index by group
                item["group"] = string(f"group{self.random.randrange(3)}")
            self.doubt = (sk, item)
            connection.call("PutItem", TableName="Rows", Item=item)
        self.settle(*self.doubt)
        self.acknowledged += 1

    def settle(self, sk, item):
        if item is None:
            self.rows.pop(sk, None)
        else:
            self.rows[sk] = item
        self.doubt = None

    def verify(self, connection):
        stored = {item["sk"]["S"]: item for item in connection.pages(
            "Query", TableName="Rows", ConsistentRead=True, KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": string(self.name)})}
        if self.doubt and stored != self.rows:
            self.settle(*self.doubt)
        self.doubt = None
        if stored != self.rows:
            wrong = [sk for sk in {*stored, *self.rows} if stored.get(sk) != self.rows.get(sk)]
            yield f"{self.name}: rows {sorted(wrong)[:5]} are not what was acknowledged"


class CounterWriter:
    """Counts on a condition, and adds to one counter that every such writer shares."""

    shared_lock = threading.Lock()
    shared = {"acknowledged": 0, "attempted": 0}

    def __init__(self, name, _seed):
        self.name = name
        self.value = 0
        self.doubt = False
        self.acknowledged = 0

    def step(self, connection):
        self.doubt = True
        condition = "attribute_not_exists(n)" if self.value == 0 else "n = :value"
        values = {":one": number(1)} | ({":value": number(self.value)} if self.value else {})
        connection.call("UpdateItem", TableName="Counters", Key={"id": string(self.name)}, UpdateExpression="ADD n :one",
                        ConditionExpression=condition, ExpressionAttributeValues=values)
        self.value += 1
        self.doubt = False
        with self.shared_lock:
            self.shared["attempted"] += 1
        connection.call("UpdateItem", TableName="Counters", Key={"id": string("shared")}, UpdateExpression="ADD n :one",
                        ExpressionAttributeValues={":one": number(1)})
        with self.shared_lock:
            self.shared["acknowledged"] += 1
        self.acknowledged += 2

    def verify(self, connection):
        stored = read_number(connection, "Counters", self.name, "n")
        if stored not in ({self.value, self.value + 1} if self.doubt else {self.value}):
            yield f"{self.name}: {stored}, but {self.value} was acknowledged"
        self.value, self.doubt = stored, False
        shared = read_number(connection, "Counters", "shared", "n")
        if not self.shared["acknowledged"] <= shared <= self.shared["attempted"]:
            yield f"shared counter: {shared}, not within {self.shared}"


class TransferWriter:
    """Moves amounts between accounts in transactions, each with its line in the ledger."""

    def __init__(self, name, seed):
        self.name = name
        self.random = random.Random(seed)
        self.sequence = 0
        self.lines = set()
        self.doubt = None
        self.acknowledged = 0

    def step(self, connection):
        if self.doubt is None:
            self.sequence += 1
            source, target = self.random.sample(ACCOUNTS, 2)
            self.doubt = transfer(f"{self.name}-{self.sequence}", source, target, self.random.randrange(1, 50))
        try:
            # After a crash the same token is sent again: it must not move the amount twice.
            connection.call("TransactWriteItems", **self.doubt)
            self.lines.add(self.doubt["ClientRequestToken"])
            self.acknowledged += 1
        except ServiceError as error:
            if error.code != "TransactionCanceledException":
                raise
        self.doubt = None

    def verify(self, connection):
        stored = {item["id"]["S"] for item in connection.pages("Scan", TableName="Ledger", ConsistentRead=True)}
        lost = self.lines - stored
        if lost:
            yield f"{self.name}: {len(lost)} acknowledged transfers are lost, such as {sorted(lost)[0]}"


def transfer(line, source, target, amount):
    def move(account, change, **condition):
        values = {":change": number(change), **({":amount": number(amount)} if condition else {})}
        return {"Update": {"TableName": "Accounts", "Key": {"id": string(account)}, "UpdateExpression": "ADD balance :change",
                           "ExpressionAttributeValues": values, **condition}}

    return {"ClientRequestToken": line, "TransactItems": [
        move(source, -amount, ConditionExpression="balance >= :amount"),
        move(target, amount),
        {"Put": {"TableName": "Ledger", "Item": {"id": string(line), "source": string(source), "target": string(target),
                                                 "amount": number(amount)}}},
    ]}


def read_number(connection, table, key, attribute):
    item = connection.call("GetItem", TableName=table, Key={"id": string(key)}, ConsistentRead=True).get("Item")
    return int(item[attribute]["N"]) if item else 0


def verify_ledger(connection):
    """Every balance is what the ledger's lines make it: no transfer was half done or done twice."""
    expected = dict.fromkeys(ACCOUNTS, START_BALANCE)
    for line in connection.pages("Scan", TableName="Ledger", ConsistentRead=True):
        expected[line["source"]["S"]] -= int(line["amount"]["N"])
        expected[line["target"]["S"]] += int(line["amount"]["N"])
    stored = {item["id"]["S"]: int(item["balance"]["N"])
              for item in connection.pages("Scan", TableName="Accounts", ConsistentRead=True)}
    if stored != expected:
        yield f"balances {stored} are not the ledger's {expected}"


def verify_indexes(connection):
    def by_key(items):
        return {(item["pk"]["S"], item["sk"]["S"]): item for item in items}

    rows = by_key(connection.pages("Scan", TableName="Rows", ConsistentRead=True))
    expected = {"byVersion": rows, "byGroup": {key: row for key, row in rows.items() if "group" in row}}
    for index, entries in expected.items():
        found = list(connection.pages("Scan", TableName="Rows", IndexName=index))
        if len(found) != len(entries) or by_key(found) != entries:
            yield f"{index}: {len(found)} entries do not agree with {len(entries)} rows"
    for group in range(3):
        found = list(connection.pages("Query", TableName="Rows", IndexName="byGroup", KeyConditionExpression="#group = :group",
                                      ExpressionAttributeNames={"#group": "group"},
                                      ExpressionAttributeValues={":group": string(f"group{group}")}))
        wanted = [row for row in rows.values() if row.get("group") == string(f"group{group}")]
        if sorted(int(row["version"]["N"]) for row in wanted) != [int(row["version"]["N"]) for row in found]:
            yield f"byGroup: group{group} is not in the order of its sort key"


def write_until_it_breaks(writer, endpoint, faults):
    connection = Connection(endpoint)
    try:
        while True:
            writer.step(connection)
    except ServiceError as error:
        faults.append(f"{writer.name}: {error}")
    except NO_ANSWER:
        pass
    finally:
        connection.close()


def run_round(server, writers, chance):
    """Lets the writers run, kills the server under them; returns what went wrong meanwhile."""
    faults = []
    threads = [threading.Thread(target=write_until_it_breaks, args=(writer, server.endpoint, faults)) for writer in writers]
    for thread in threads:
        thread.start()
    time.sleep(chance.uniform(0.05, 1.2))
    server.kill()
    for thread in threads:
        thread.join()
    return faults


def verify(server, writers, may_lag_until):
    connection = Connection(server.endpoint)
    checks = [*(writer.verify(connection) for writer in writers), verify_ledger(connection)]
    faults = [fault for check in checks for fault in check]
    # Nobody writes now: the indexes must come to agree, at once where there is no lag.
    while (disagreeing := list(verify_indexes(connection))) and time.monotonic() < may_lag_until:
        time.sleep(0.02)
    connection.close()
    return faults + disagreeing


def main():
    chance = random.Random(SEED)
    folder = tempfile.mkdtemp(prefix="keywright-kill9-")
    writers = [kind(f"{kind.__name__}{n}", chance.random()) for n in range(2) for kind in (RowWriter, CounterWriter, TransferWriter)]
    print(f"{ROUNDS} rounds, seed {SEED}", flush=True)
    passed, failed = 0, 0

    def start():
        """A server whose global indexes follow at once or by a lag, and until when they may disagree."""
        lag_ms = chance.choice([0, LAG_MS])
        server = Server("--data", folder, "--index-lag", str(lag_ms))
        return server, time.monotonic() + (LAG_SECONDS_MAX if lag_ms else 0)

    server, _ = start()
    create_tables(Connection(server.endpoint))
    for number_of_round in range(1, ROUNDS + 1):
        faults = run_round(server, writers, chance)
        killed = time.monotonic()
        server, may_lag_until = start()
        recovery = time.monotonic() - killed
        faults += verify(server, writers, may_lag_until)
        acknowledged = sum(writer.acknowledged for writer in writers)
        print(f"round {number_of_round}: {acknowledged} writes acknowledged, up again after {recovery:.2f} s", flush=True)
        for fault in faults:
            print("  " + fault)
        passed += not faults
        failed += bool(faults)
        if faults:  # later rounds would only repeat it
            break
    server.stop()
    if failed:
        print(f"seed {SEED}, data kept in {folder}")
    else:
        shutil.rmtree(folder)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
