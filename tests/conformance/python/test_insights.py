# SPDX-License-Identifier: Apache-2.0
"""Contributor insights and the studio's call for hot keys, on a server that checks signatures: boto3
fills the counters, botocore signs the call."""
import json
import sys
import urllib.error
import urllib.request
from pathlib import Path

import boto3
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from server import CREDENTIALS, Server  # noqa: E402

KEY, SECRET = CREDENTIALS["AWS_ACCESS_KEY_ID"], CREDENTIALS["AWS_SECRET_ACCESS_KEY"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    keys = tmp_path_factory.mktemp("keys") / "keys"
    keys.write_text(f"{KEY} {SECRET}\n")
    with Server("--memory", "--throttle", "--keys", str(keys)) as started:
        yield started


def hot_keys(server, table, secret=SECRET):
    request = AWSRequest("POST", f"{server.endpoint}/studio/v1/insights", data=json.dumps({"TableName": table}),
                         headers={"Content-Type": "application/json"})
    SigV4Auth(Credentials(KEY, secret), "dynamodb", "us-east-1").add_auth(request)
    prepared = request.prepare()
    with urllib.request.urlopen(urllib.request.Request(prepared.url, prepared.body.encode(), dict(prepared.headers))) as answer:
        return json.load(answer)


def test_shows_the_most_accessed_and_the_most_throttled_keys(server):
    db = boto3.client("dynamodb", endpoint_url=server.endpoint)
    db.create_table(
        TableName="Hot", BillingMode="PAY_PER_REQUEST", OnDemandThroughput={"MaxReadRequestUnits": 1},
        AttributeDefinitions=[{"AttributeName": "p", "AttributeType": "S"}, {"AttributeName": "s", "AttributeType": "N"}],
        KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}],
    )
    assert hot_keys(server, "Hot") == {"TableName": "Hot", "Structures": []}
    db.update_contributor_insights(TableName="Hot", ContributorInsightsAction="ENABLE")
    for number in (1, 2, 2):
        db.put_item(TableName="Hot", Item={"p": {"S": "a"}, "s": {"N": str(number)}})
    once = boto3.client("dynamodb", endpoint_url=server.endpoint, config=Config(retries={"total_max_attempts": 1}))
    with pytest.raises(db.exceptions.ThrottlingException):
        for _ in range(1000):  # what was saved meanwhile is used first
            once.query(TableName="Hot", KeyConditionExpression="p = :p", ExpressionAttributeValues={":p": {"S": "b"}},
                       ConsistentRead=True)
    (table,) = hot_keys(server, "Hot")["Structures"]
    # aws-doc: contributorinsights_HowItWorks (three units for a write unit).
    assert table["MostAccessedKeys"] == [
        {"Key": {"p": {"S": "a"}, "s": {"N": "2"}}, "ConsumedThroughputUnits": 6, "ErrorMax": 0},
        {"Key": {"p": {"S": "a"}, "s": {"N": "1"}}, "ConsumedThroughputUnits": 3, "ErrorMax": 0},
    ]
    assert table["MostThrottledPartitionKeys"] == [{"Key": {"p": {"S": "b"}}, "ThrottleCount": 1, "ErrorMax": 0}]
    with urllib.request.urlopen(f"{server.endpoint}/metrics") as page:
        assert b'keywright_throttled_total{reason="TableReadMaxOnDemandThroughputExceeded"} 1\n' in page.read()


def test_is_for_who_may_call_the_api(server):
    with pytest.raises(urllib.error.HTTPError) as refused:
        hot_keys(server, "Hot", secret="another")
    assert b"InvalidSignatureException" in refused.value.read()
