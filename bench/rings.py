# SPDX-License-Identifier: Apache-2.0
"""Requests as the AWS SDK for JavaScript sends them, ready to replay, signed or not."""
import datetime
import json
import random

import wire

ACCESS_KEY, SECRET = "bench", "bench-secret"
USER_AGENT = "aws-sdk-js/3.1169.0 ua/2.1 os/linux#6.18 lang/js md/nodejs#20.20.2 api/dynamodb#3.1169.0 m/E,Z,n"
UNSIGNED = (f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/20261130/us-east-1/dynamodb/aws4_request, "
            f"SignedHeaders=host;x-amz-date, Signature={'0' * 64}")
TABLE = "Bench"
ITEMS = 100_000
COLLECTION = 10  # items in a partition: what the Query row reads
ITEMS_FEW = 4000  # for peers that are slow to load
VARIANTS = 4000  # different requests in a ring; larger or costlier ones have their own number
VARIANTS_OF = {"put": 16_000, "batch": 200}
CONTENTS = "abcdefgh"  # what a ring of puts fills each of its items with in turn: an equal item would cost no write


def item(number, body="x"):
    """About 1 KB: 1,024 bytes of item size and a little."""
    return {
        "pk": {"S": f"user#{number // COLLECTION:07}"}, "sk": {"S": f"order#{number % COLLECTION:03}"},
        "status": {"S": "COMPLETED"}, "amount": {"N": str(number % 9973)}, "createdAt": {"S": "2026-06-23T14:00:00Z"},
        "tags": {"SS": ["a", "b", "c"]}, "address": {"M": {"city": {"S": "Berlin"}, "zip": {"S": "10115"}}},
        "body": {"S": body * 850},
    }


def key(number):
    return {name: value for name, value in item(number, "").items() if name in ("pk", "sk")}


# name → (operation, body of a request for item n; puts take one of several contents)
WORKLOADS = {
    "get": ("GetItem", lambda n, _: {"TableName": TABLE, "Key": key(n)}),
    "put": ("PutItem", lambda n, content: {"TableName": TABLE, "Item": item(n, content)}),
    "query": ("Query", lambda n, _: {"TableName": TABLE, "KeyConditionExpression": "pk = :pk",
                                     "ExpressionAttributeValues": {":pk": key(n)["pk"]}}),
    "add": ("UpdateItem", lambda n, _: {"TableName": TABLE, "Key": key(n), "UpdateExpression": "ADD amount :one",
                                        "ExpressionAttributeValues": {":one": {"N": "1"}}}),
    "guarded": ("UpdateItem", lambda n, _: {"TableName": TABLE, "Key": key(n), "UpdateExpression": "SET amount = amount + :one",
                                            "ConditionExpression": "amount >= :zero",
                                            "ExpressionAttributeValues": {":one": {"N": "1"}, ":zero": {"N": "0"}}}),
    "batch": ("BatchWriteItem", lambda n, content: {"RequestItems": {TABLE: [
        {"PutRequest": {"Item": item((n + offset * 37) % ITEMS, content)}} for offset in range(25)]}}),
    "list": ("ListTables", lambda n, _: {}),
}
WRITES_CONTENT = ("put", "batch")


def one(operation, body, host, sign, now):
    payload = json.dumps(body, separators=(",", ":")).encode()
    headers = {
        "host": host, "content-type": "application/x-amz-json-1.0", "x-amz-target": "DynamoDB_20120810." + operation,
        "content-length": str(len(payload)), "amz-sdk-invocation-id": "4d2ee5a9-7a9e-4a60-a1c5-3ea7c0c3f0b4",
        "amz-sdk-request": "attempt=1; max=3",
    }
    if sign:
        headers = wire.signed(headers, payload, ACCESS_KEY, SECRET, now)
    headers |= {"accept": "*/*", "accept-encoding": "gzip, deflate, br", "user-agent": USER_AGENT}
    if not sign:  # as long as a signature, and none
        headers |= {"x-amz-date": f"{now:%Y%m%dT%H%M%SZ}", "authorization": UNSIGNED}
    head = "POST / HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
    return head.encode() + payload


def write_ring(path, workload, host, signed=False, items=ITEMS):
    """A file for bench/wrk/replay.lua. Signatures hold for five minutes: write it just before use."""
    operation, body = WORKLOADS[workload]
    chance = random.Random(20261130)
    now = datetime.datetime.now(datetime.timezone.utc)
    variants = VARIANTS_OF.get(workload, VARIANTS)
    contents = CONTENTS if workload in WRITES_CONTENT else CONTENTS[:1]
    chosen = [(n, content) for n in (chance.randrange(items) for _ in range(variants // len(contents))) for content in contents]
    chance.shuffle(chosen)
    with open(path, "wb") as file:
        for n, content in chosen:
            request = one(operation, body(n, content), host, signed, now)
            file.write(b"%d\n%s" % (len(request), request))
