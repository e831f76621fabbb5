# SPDX-License-Identifier: Apache-2.0
"""A server that holds tables to their capacity (--throttle), as boto3 sees it: the exception with its
reason, and the retries that get through in the end."""
import sys
from pathlib import Path

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from server import Server  # noqa: E402

UNITS = 20


@pytest.fixture(scope="module")
def connect():
    """connect(attempts): a client that tries so often."""
    with Server("--memory", "--throttle") as server:
        def client(attempts):
            retries = {"mode": "standard", "total_max_attempts": attempts}
            return boto3.client("dynamodb", endpoint_url=server.endpoint, config=Config(retries=retries))

        client(1).create_table(
            TableName="Metered",
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            ProvisionedThroughput={"ReadCapacityUnits": UNITS, "WriteCapacityUnits": UNITS},
        )
        yield client


def exhaust(client):
    """Writes until the table is a few units in debt; what was saved until then counts too."""
    for _ in range(100):
        try:
            client.put_item(TableName="Metered", Item={"id": {"S": "large"}, "data": {"S": "x" * 100_000}})
        except ClientError as error:
            return error
    raise AssertionError("never throttled")


def test_names_the_exception_and_its_reason(connect):
    error = exhaust(connect(1))
    client = connect(1)
    assert isinstance(error, client.exceptions.ProvisionedThroughputExceededException)
    # aws-doc: throttling-diagnosing-workflow
    assert error.response["ThrottlingReasons"] == [{
        "reason": "TableWriteProvisionedThroughputExceeded",
        "resource": "arn:aws:dynamodb:us-east-1:000000000000:table/Metered",
    }]
    assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 400


def test_retries_until_it_passes(connect):
    exhaust(connect(1))
    answer = connect(12).put_item(TableName="Metered", Item={"id": {"S": "small"}})
    assert answer["ResponseMetadata"]["RetryAttempts"] > 0
