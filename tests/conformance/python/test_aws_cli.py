# SPDX-License-Identifier: Apache-2.0
"""The AWS CLI, as people type it: create, wait, put, get, query, list, page, delete."""
import json
import subprocess
import sys
from pathlib import Path

import pytest

AWS = str(Path(sys.executable).parent / "aws")
TABLE = "CliMusic"


def aws(*arguments):
    """Runs `aws dynamodb …`; returns its output as JSON, or None if it printed nothing."""
    done = subprocess.run([AWS, "dynamodb", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout) if done.stdout.strip() else None


@pytest.fixture(scope="module", autouse=True)
def table():
    created = aws("create-table", "--table-name", TABLE,
                  "--attribute-definitions", "AttributeName=Artist,AttributeType=S", "AttributeName=Title,AttributeType=S",
                  "--key-schema", "AttributeName=Artist,KeyType=HASH", "AttributeName=Title,KeyType=RANGE",
                  "--billing-mode", "PAY_PER_REQUEST")
    assert created["TableDescription"]["TableName"] == TABLE
    aws("wait", "table-exists", "--table-name", TABLE)
    for title in ("Call Me", "Howdy", "Zed"):
        aws("put-item", "--table-name", TABLE, "--item",
            json.dumps({"Artist": {"S": "No One You Know"}, "Title": {"S": title}, "Plays": {"N": "12"}}))
    yield
    aws("delete-table", "--table-name", TABLE)
    aws("wait", "table-not-exists", "--table-name", TABLE)
    assert TABLE not in aws("list-tables")["TableNames"]


def test_list_and_describe():
    assert TABLE in aws("list-tables")["TableNames"]
    described = aws("describe-table", "--table-name", TABLE)["Table"]
    assert described["TableStatus"] == "ACTIVE"
    assert described["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert described["KeySchema"] == [{"AttributeName": "Artist", "KeyType": "HASH"}, {"AttributeName": "Title", "KeyType": "RANGE"}]


def test_get_item():
    key = json.dumps({"Artist": {"S": "No One You Know"}, "Title": {"S": "Howdy"}})
    answer = aws("get-item", "--table-name", TABLE, "--key", key, "--return-consumed-capacity", "TOTAL")
    assert answer == {
        "Item": {"Artist": {"S": "No One You Know"}, "Title": {"S": "Howdy"}, "Plays": {"N": "12"}},
        "ConsumedCapacity": {"TableName": TABLE, "CapacityUnits": 0.5},
    }


def test_query():
    answer = aws("query", "--table-name", TABLE, "--key-condition-expression", "Artist = :a AND begins_with(Title, :t)",
                 "--expression-attribute-values", json.dumps({":a": {"S": "No One You Know"}, ":t": {"S": "H"}}))
    assert [item["Title"]["S"] for item in answer["Items"]] == ["Howdy"]
    assert (answer["Count"], answer["ScannedCount"]) == (1, 1)


def test_query_in_pages_of_one():
    answer = aws("query", "--table-name", TABLE, "--key-condition-expression", "Artist = :a", "--page-size", "1",
                 "--expression-attribute-values", json.dumps({":a": {"S": "No One You Know"}}))
    assert [item["Title"]["S"] for item in answer["Items"]] == ["Call Me", "Howdy", "Zed"]


def test_update_item():
    key = json.dumps({"Artist": {"S": "No One You Know"}, "Title": {"S": "Zed"}})
    answer = aws("update-item", "--table-name", TABLE, "--key", key, "--update-expression", "SET Plays = Plays + :one",
                 "--expression-attribute-values", json.dumps({":one": {"N": "1"}}), "--return-values", "UPDATED_NEW")
    assert answer["Attributes"] == {"Plays": {"N": "13"}}


def test_an_error_names_its_type():
    with pytest.raises(RuntimeError, match=r"An error occurred \(ResourceNotFoundException\) when calling the DescribeTable operation"):
        aws("describe-table", "--table-name", "NoSuchTable")
