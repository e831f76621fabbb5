# SPDX-License-Identifier: Apache-2.0
"""What every file here needs: a client, and tables that are ready and go away again."""
import boto3
import pytest


@pytest.fixture(scope="session")
def dynamodb():
    """The resource API; endpoint, region and credentials come from the environment."""
    return boto3.resource("dynamodb")


@pytest.fixture(scope="module")
def make_table(dynamodb):
    """make_table(name, ("pk", "sk"), {index: (("a", "b"), projection)}): on demand, string keys."""
    made = []

    def key_schema(names):
        return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"))]

    def projection(kept):
        if isinstance(kept, str):
            return {"ProjectionType": kept}
        return {"ProjectionType": "INCLUDE", "NonKeyAttributes": kept}

    def make(name, keys, indexes=None):
        indexes = indexes or {}
        attributes = {*keys, *(key for index_keys, _ in indexes.values() for key in index_keys)}
        options = {}
        if indexes:
            options["GlobalSecondaryIndexes"] = [
                {"IndexName": index, "KeySchema": key_schema(index_keys), "Projection": projection(kept)}
                for index, (index_keys, kept) in indexes.items()
            ]
        table = dynamodb.create_table(
            TableName=name,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in sorted(attributes)],
            KeySchema=key_schema(keys),
            **options,
        )
        waiter = dynamodb.meta.client.get_waiter("table_exists")
        waiter.wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 60})
        made.append(table)
        return table

    yield make
    for table in made:
        table.delete()


def units(answer):
    """(table, {index: units}) of an answer asked for with ReturnConsumedCapacity=INDEXES."""
    consumed = answer["ConsumedCapacity"]
    indexes = consumed.get("GlobalSecondaryIndexes", {})
    return consumed["Table"]["CapacityUnits"], {name: index["CapacityUnits"] for name, index in indexes.items()}


def total(answer):
    return answer["ConsumedCapacity"]["CapacityUnits"]
