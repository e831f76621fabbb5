# SPDX-License-Identifier: Apache-2.0
"""The tour (../tour.md) with the AWS CLI, its commands run in this process: what `aws` itself does, but
without half a second of start for each."""
import base64
import contextlib
import io
import json
import re
import sys
import traceback

from awscli.clidriver import create_clidriver

driver = create_clidriver()
failed = []


class Refused(Exception):
    """A command that ended with an error: its code, and what the CLI printed."""

    def __init__(self, text):
        super().__init__(text)
        found = re.search(r"An error occurred \((\w+)\)", text)
        self.code = found.group(1) if found else None
        self.text = text


def aws(service, command, *arguments):
    """`aws SERVICE COMMAND …`; objects go as JSON. The output, or None if there was none."""
    words = [word if isinstance(word, str) else json.dumps(word) for word in arguments]
    out, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(complaints):
        status = driver.main([service, command, *words])
    if status != 0:
        raise Refused(complaints.getvalue())
    return json.loads(out.getvalue()) if out.getvalue().strip() else None


def db(command, *arguments):
    return aws("dynamodb", command, *arguments)


def on_orders(command, *arguments):
    return db(command, "--table-name", "Orders", *arguments)


def step(name):
    """Runs the function under it as that step."""
    def run(function):
        try:
            function()
            print("ok", name, flush=True)
        except Exception:  # the next steps are of interest all the same
            failed.append(name)
            print(f"FAILED {name}", flush=True)
            traceback.print_exc()
    return run


def equal(got, wanted):
    if got != wanted:
        raise AssertionError(f"got {got!r}, wanted {wanted!r}")


def refused(code, function, *arguments):
    """The refusal with that code that a command must end with."""
    try:
        answer = function(*arguments)
    except Refused as refusal:
        equal(refusal.code, code)
        return refusal
    raise AssertionError(f"not refused: {answer}")


def pages(command, member, *arguments, size):
    """The lists of a command's pages, by --max-items and --starting-token."""
    found, token = [], []
    while True:
        answer = db(command, "--max-items", str(size), *token, *arguments)
        found.append(answer[member])
        if "NextToken" not in answer:
            return found
        token = ["--starting-token", answer["NextToken"]]


def key(customer, order):
    return {"customer": {"S": customer}, "order": {"S": order}}


def order(customer, number, total, status=None):
    item = {**key(customer, number), "total": {"N": str(total)}}
    return {**item, "status": {"S": status}} if status else item


def names(**placeholders):
    return ["--expression-attribute-names", {f"#{name}": meant for name, meant in placeholders.items()}]


def values(**placeholders):
    return ["--expression-attribute-values", {f":{name}": value for name, value in placeholders.items()}]


def shown(text):
    """Bytes as this CLI shows them; it takes them as they are."""
    return base64.b64encode(text.encode()).decode()


CREATE = [
    "--billing-mode", "PAY_PER_REQUEST",
    "--attribute-definitions", *(f"AttributeName={name},AttributeType={kind}"
                                 for name, kind in (("customer", "S"), ("order", "S"), ("total", "N"), ("status", "S"))),
    "--key-schema", "AttributeName=customer,KeyType=HASH", "AttributeName=order,KeyType=RANGE",
    "--local-secondary-indexes",
    "IndexName=byTotal,KeySchema=[{AttributeName=customer,KeyType=HASH},{AttributeName=total,KeyType=RANGE}],"
    "Projection={ProjectionType=KEYS_ONLY}",
    "--global-secondary-indexes",
    "IndexName=byStatus,KeySchema=[{AttributeName=status,KeyType=HASH},{AttributeName=total,KeyType=RANGE}],"
    "Projection={ProjectionType=INCLUDE,NonKeyAttributes=[note]}",
    "--stream-specification", "StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES",
    "--tags", "Key=stage,Value=tour",
    "--deletion-protection-enabled",
]
ALL_TYPES = {
    **key("c1", "0001"), "total": {"N": "12.5"}, "status": {"S": "OPEN"}, "bytes": {"B": "\x00\x7f"},
    "flag": {"BOOL": True}, "nothing": {"NULL": True}, "words": {"SS": ["a", "b"]}, "numbers": {"NS": ["1", "2"]},
    "blobs": {"BS": ["\x01", "\x02"]}, "list": {"L": [{"S": "x"}, {"N": "1"}]}, "map": {"M": {"inner": {"S": "y"}}},
}
arn = ""


@step("create-table")
def _():
    global arn
    table = on_orders("create-table", *CREATE)["TableDescription"]
    arn = table["TableArn"]
    equal(table["TableStatus"], "CREATING")
    assert arn.endswith(":table/Orders"), arn


@step("create-table-again")
def _():
    assert "Orders" in refused("ResourceInUseException", on_orders, "create-table", *CREATE).text


@step("wait-until-exists")
def _():
    db("create-table", "--table-name", "Audit", "--key-schema", "AttributeName=id,KeyType=HASH",
       "--attribute-definitions", "AttributeName=id,AttributeType=N",
       "--provisioned-throughput", "ReadCapacityUnits=1,WriteCapacityUnits=1")
    for table in ("Orders", "Audit"):
        aws("dynamodb", "wait", "table-exists", "--table-name", table)


@step("describe-table")
def _():
    table = on_orders("describe-table")["Table"]
    equal(table["TableStatus"], "ACTIVE")
    equal([(one["AttributeName"], one["KeyType"]) for one in table["KeySchema"]], [("customer", "HASH"), ("order", "RANGE")])
    equal([index["IndexName"] for index in table["LocalSecondaryIndexes"]], ["byTotal"])
    equal([index["IndexName"] for index in table["GlobalSecondaryIndexes"]], ["byStatus"])
    equal(table["LatestStreamArn"], f"{arn}/stream/{table['LatestStreamLabel']}")


@step("list-tables")
def _():
    equal(pages("list-tables", "TableNames", "--page-size", "1", size=1), [["Audit"], ["Orders"]])


@step("describe-limits")
def _():
    equal(db("describe-limits")["AccountMaxReadCapacityUnits"], 80000)


@step("describe-endpoints")
def _():
    (endpoint,) = db("describe-endpoints")["Endpoints"]
    equal(endpoint["CachePeriodInMinutes"], 1440)
    assert endpoint["Address"]


@step("throttled")
def _():
    heavy = {"id": {"N": "1"}, "text": {"S": "x" * 400_000}}
    put = ["put-item", "--table-name", "Audit", "--item", heavy]
    db(*put)
    refusal = refused("ProvisionedThroughputExceededException", db, *put)
    assert "exceeded" in refusal.text, refusal.text  # this CLI does not show the reasons
    requests = {"Orders": [{"DeleteRequest": {"Key": key("c9", "0001")}}],
                "Audit": [{"DeleteRequest": {"Key": {"id": {"N": "2"}}}}]}
    answer = db("batch-write-item", "--request-items", requests)
    equal(answer["UnprocessedItems"], {"Audit": requests["Audit"]})
    db("get-item", "--table-name", "Audit", "--key", {"id": {"N": "1"}}, "--consistent-read")
    wanted = {"Orders": {"Keys": [key("c9", "0001")]}, "Audit": {"Keys": [{"id": {"N": "1"}}]}}
    answer = db("batch-get-item", "--request-items", wanted)
    equal(answer["UnprocessedKeys"], {"Audit": wanted["Audit"]})
    equal(answer["Responses"]["Orders"], [])


@step("put-item")
def _():
    answer = on_orders("put-item", "--item", ALL_TYPES, "--return-consumed-capacity", "TOTAL")
    equal(answer["ConsumedCapacity"], {"TableName": "Orders", "CapacityUnits": 3.0})


@step("get-item")
def _():
    answer = on_orders("get-item", "--key", key("c1", "0001"), "--consistent-read", "--return-consumed-capacity", "TOTAL")
    for kind in ("SS", "NS", "BS"):  # sets have no order
        for value in answer["Item"].values():
            if kind in value:
                value[kind].sort()
    equal(answer["Item"], {**ALL_TYPES, "bytes": {"B": shown("\x00\x7f")}, "blobs": {"BS": [shown("\x01"), shown("\x02")]}})
    equal(answer["ConsumedCapacity"]["CapacityUnits"], 1.0)


@step("put-item-again")
def _():
    answer = on_orders("put-item", "--item", order("c1", "0001", 20, "OPEN"), "--return-values", "ALL_OLD")
    equal(answer["Attributes"]["total"], {"N": "12.5"})


@step("update-item")
def _():
    answer = on_orders("update-item", "--key", key("c1", "0001"), "--update-expression", "SET #t = #t + :five",
                       *names(t="total"), *values(five={"N": "5"}), "--return-values", "UPDATED_NEW")
    equal(answer["Attributes"], {"total": {"N": "25"}})


@step("condition-fails")
def _():  # this CLI shows the item as a detail of the error, or not at all: only the sentence is asserted
    refusal = refused("ConditionalCheckFailedException", on_orders, "put-item", "--item", order("c1", "0001", 1),
                      "--condition-expression", "attribute_not_exists(customer)",
                      "--return-values-on-condition-check-failure", "ALL_OLD")
    assert "The conditional request failed" in refusal.text, refusal.text


@step("validation-fails")
def _():
    refusal = refused("ValidationException", on_orders, "update-item", "--key", key("c1", "0001"),
                      "--update-expression", "SET SET")
    assert "Invalid UpdateExpression: " in refusal.text, refusal.text


@step("table-not-found")
def _():
    refusal = refused("ResourceNotFoundException", db, "get-item", "--table-name", "Nowhere", "--key", {"id": {"N": "1"}})
    assert "Requested resource not found" in refusal.text, refusal.text


@step("batch-write")
def _():
    puts = [{"PutRequest": {"Item": order("c2", f"{n:04}", n, "DONE" if n % 2 else "OPEN")}} for n in range(1, 26)]
    answer = db("batch-write-item", "--request-items", {"Orders": puts}, "--return-consumed-capacity", "TOTAL")
    equal(answer["UnprocessedItems"], {})
    equal(answer["ConsumedCapacity"][0]["CapacityUnits"], 75.0)


@step("batch-get")
def _():
    answer = db("batch-get-item", "--request-items", {"Orders": {
        "Keys": [key("c2", f"{n:04}") for n in (1, 2, 3)], "ProjectionExpression": "#o, #t",
        "ExpressionAttributeNames": {"#o": "order", "#t": "total"}}})
    items = sorted(answer["Responses"]["Orders"], key=lambda item: item["order"]["S"])
    equal(items, [{"order": {"S": f"{n:04}"}, "total": {"N": str(n)}} for n in (1, 2, 3)])
    equal(answer["UnprocessedKeys"], {})


C2 = ["--table-name", "Orders", "--key-condition-expression", "customer = :c", *values(c={"S": "c2"})]


@step("query-pages")
def _():
    found = pages("query", "Items", *C2, "--page-size", "10", size=10)
    equal([len(items) for items in found], [10, 10, 5])
    equal([item["order"]["S"] for items in found for item in items], [f"{n:04}" for n in range(1, 26)])


@step("query-backwards")
def _():
    answer = on_orders("query", "--key-condition-expression", "customer = :c AND #o > :o", "--limit", "2",
                       "--no-scan-index-forward", "--no-paginate", *names(o="order"),
                       *values(c={"S": "c2"}, o={"S": "0010"}))
    equal([item["order"]["S"] for item in answer["Items"]], ["0025", "0024"])
    equal(answer["LastEvaluatedKey"], key("c2", "0024"))


@step("query-index")
def _():
    answer = on_orders("query", "--index-name", "byStatus", "--return-consumed-capacity", "INDEXES",
                       "--key-condition-expression", "#s = :s AND #t BETWEEN :a AND :b", *names(s="status", t="total"),
                       *values(s={"S": "DONE"}, a={"N": "5"}, b={"N": "9"}))
    equal([item["total"]["N"] for item in answer["Items"]], ["5", "7", "9"])
    equal(answer["ConsumedCapacity"]["GlobalSecondaryIndexes"]["byStatus"]["CapacityUnits"], 0.5)
    equal(answer["ConsumedCapacity"]["Table"]["CapacityUnits"], 0.0)


@step("query-local-index")
def _():
    answer = on_orders("query", "--index-name", "byTotal", "--consistent-read", *names(t="total"),
                       "--key-condition-expression", "customer = :c AND #t > :t", *values(c={"S": "c2"}, t={"N": "23"}))
    equal([item["total"]["N"] for item in answer["Items"]], ["24", "25"])


@step("query-count")
def _():
    answer = on_orders("query", "--select", "COUNT", "--key-condition-expression", "customer = :c",
                       "--filter-expression", "#s = :s", *names(s="status"), *values(c={"S": "c2"}, s={"S": "DONE"}))
    equal((answer["Count"], answer["ScannedCount"]), (13, 25))


@step("scan-pages")
def _():
    found = pages("scan", "Items", "--table-name", "Orders", "--page-size", "10", size=10)
    equal([len(items) for items in found if items], [10, 10, 6])


@step("scan-segments")
def _():
    found = []
    for segment in ("0", "1"):
        answer = on_orders("scan", "--segment", segment, "--total-segments", "2")
        found += [(item["customer"]["S"], item["order"]["S"]) for item in answer["Items"]]
    equal((len(found), len(set(found))), (26, 26))


def transaction(total):
    return ["transact-write-items", "--client-request-token", "tour-1", "--return-consumed-capacity", "TOTAL",
            "--transact-items", [
                {"Put": {"TableName": "Orders", "Item": order("c3", "0001", total)}},
                {"Update": {"TableName": "Orders", "Key": key("c2", "0001"), "UpdateExpression": "SET #t = :t",
                            "ExpressionAttributeNames": {"#t": "total"}, "ExpressionAttributeValues": {":t": {"N": "100"}}}},
                {"Delete": {"TableName": "Orders", "Key": key("c2", "0025")}},
                {"ConditionCheck": {"TableName": "Orders", "Key": key("c1", "0001"),
                                    "ConditionExpression": "attribute_exists(customer)"}}]]


@step("transact-write")
def _():
    equal(db(*transaction(7))["ConsumedCapacity"][0]["TableName"], "Orders")
    equal(on_orders("get-item", "--key", key("c3", "0001"))["Item"]["total"], {"N": "7"})
    equal(on_orders("get-item", "--key", key("c2", "0025")), None)


@step("transact-write-again")
def _():
    assert db(*transaction(7))["ConsumedCapacity"][0]["ReadCapacityUnits"] > 0
    refused("IdempotentParameterMismatchException", db, *transaction(8))
    equal(on_orders("get-item", "--key", key("c3", "0001"))["Item"]["total"], {"N": "7"})


@step("transact-cancelled")
def _():
    put = {"TableName": "Orders", "ConditionExpression": "attribute_not_exists(customer)",
           "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    refusal = refused("TransactionCanceledException", db, "transact-write-items", "--transact-items", [
        {"Put": {**put, "Item": order("c3", "0002", 1)}}, {"Put": {**put, "Item": order("c3", "0001", 1)}}])
    assert "[None, ConditionalCheckFailed]" in refusal.text, refusal.text


@step("transact-get")
def _():
    gets = [{"Get": {"TableName": "Orders", "Key": key(*names)}}
            for names in (("c3", "0001"), ("c2", "0001"), ("c2", "0025"))]
    answer = db("transact-get-items", "--transact-items", gets)
    equal([response.get("Item", {}).get("total") for response in answer["Responses"]], [{"N": "7"}, {"N": "100"}, None])


@step("delete-item")
def _():
    answer = on_orders("delete-item", "--key", key("c3", "0001"), "--return-values", "ALL_OLD",
                       "--return-item-collection-metrics", "SIZE")
    equal(answer["Attributes"]["total"], {"N": "7"})
    equal(answer["ItemCollectionMetrics"]["ItemCollectionKey"], {"customer": {"S": "c3"}})
    equal(len(answer["ItemCollectionMetrics"]["SizeEstimateRangeGB"]), 2)


def statement(text, *parameters):
    return db("execute-statement", "--statement", text, *(["--parameters", list(parameters)] if parameters else []))


@step("partiql")
def _():
    statement("INSERT INTO \"Orders\" VALUE {'customer': ?, 'order': ?, 'total': ?}", {"S": "c4"}, {"S": "0001"}, {"N": "1"})
    sizes, token = [], []
    while token is not None:
        answer = db("execute-statement", "--statement", 'SELECT * FROM "Orders" WHERE customer = ?', "--limit", "10",
                    "--parameters", [{"S": "c2"}], *token)
        sizes.append(len(answer["Items"]))
        token = ["--next-token", answer["NextToken"]] if "NextToken" in answer else None
    equal(sizes, [10, 10, 4])
    answer = statement("UPDATE \"Orders\" SET note = ? WHERE customer = ? AND \"order\" = ? RETURNING ALL NEW *",
                       {"S": "fragile"}, {"S": "c4"}, {"S": "0001"})
    equal(answer["Items"], [{**order("c4", "0001", 1), "note": {"S": "fragile"}}])


@step("partiql-duplicate")
def _():
    refused("DuplicateItemException", statement, "INSERT INTO \"Orders\" VALUE {'customer': 'c4', 'order': '0001'}")


@step("partiql-batch")
def _():
    one = "SELECT * FROM \"{}\" WHERE customer = 'c4' AND \"order\" = '0001'"
    answer = db("batch-execute-statement", "--statements", [{"Statement": one.format(table)} for table in ("Orders", "Nowhere")])
    found, failure = answer["Responses"]
    equal(found["Item"]["note"], {"S": "fragile"})
    equal(failure["Error"]["Code"], "ResourceNotFound")


@step("partiql-transaction")
def _():
    set_note = "UPDATE \"Orders\" SET note = 'x' WHERE customer = '{}' AND \"order\" = '0001'"
    db("execute-transaction", "--transact-statements", [{"Statement": set_note.format(name)} for name in ("c1", "c4")])
    refusal = refused("TransactionCanceledException", db, "execute-transaction", "--transact-statements", [
        {"Statement": set_note.format("c1") + " AND note = 'y'"}, {"Statement": set_note.format("c4")}])
    assert "[ConditionalCheckFailed, None]" in refusal.text, refusal.text


@step("update-table")
def _():
    answer = on_orders("update-table", "--attribute-definitions", "AttributeName=note,AttributeType=S",
                       "--global-secondary-index-updates",
                       "Create={IndexName=byNote,KeySchema=[{AttributeName=note,KeyType=HASH}],Projection={ProjectionType=ALL}}")
    equal(answer["TableDescription"]["TableStatus"], "UPDATING")
    while True:
        indexes = on_orders("describe-table")["Table"]["GlobalSecondaryIndexes"]
        if all(index["IndexStatus"] == "ACTIVE" for index in indexes):
            break
    equal(sorted(index["IndexName"] for index in indexes), ["byNote", "byStatus"])
    answer = on_orders("query", "--index-name", "byNote", "--key-condition-expression", "note = :n", *values(n={"S": "x"}))
    equal(answer["Count"], 2)


@step("update-capacity")
def _():
    for units in (6, 4):
        answer = db("update-table", "--table-name", "Audit", "--provisioned-throughput",
                    f"ReadCapacityUnits={units},WriteCapacityUnits={units}")
        equal(answer["TableDescription"]["TableStatus"], "UPDATING")
        aws("dynamodb", "wait", "table-exists", "--table-name", "Audit")
        units_now = db("describe-table", "--table-name", "Audit")["Table"]["ProvisionedThroughput"]
        equal((units_now["ReadCapacityUnits"], units_now["WriteCapacityUnits"]), (units, units))


@step("deletion-protection")
def _():
    refused("ValidationException", on_orders, "delete-table")
    table = on_orders("update-table", "--no-deletion-protection-enabled")["TableDescription"]
    equal(table["DeletionProtectionEnabled"], False)


@step("tags")
def _():
    def tags():
        return {tag["Key"]: tag["Value"] for tag in db("list-tags-of-resource", "--resource-arn", arn)["Tags"]}

    db("tag-resource", "--resource-arn", arn, "--tags", "Key=owner,Value=me")
    equal(tags(), {"stage": "tour", "owner": "me"})
    db("untag-resource", "--resource-arn", arn, "--tag-keys", "stage")
    equal(tags(), {"owner": "me"})


@step("time-to-live")
def _():
    answer = on_orders("update-time-to-live", "--time-to-live-specification", "Enabled=true,AttributeName=expires")
    equal(answer["TimeToLiveSpecification"], {"Enabled": True, "AttributeName": "expires"})
    now = on_orders("describe-time-to-live")["TimeToLiveDescription"]
    equal(now["AttributeName"], "expires")
    assert now["TimeToLiveStatus"] in ("ENABLING", "ENABLED"), now


@step("contributor-insights")
def _():
    answer = on_orders("update-contributor-insights", "--contributor-insights-action", "ENABLE")
    assert answer["ContributorInsightsStatus"] in ("ENABLING", "ENABLED"), answer
    now = on_orders("describe-contributor-insights")
    assert now["ContributorInsightsStatus"] in ("ENABLING", "ENABLED"), now
    assert now["ContributorInsightsRuleList"], now
    summaries = db("list-contributor-insights")["ContributorInsightsSummaries"]
    assert "Orders" in [one["TableName"] for one in summaries], summaries


@step("resource-policy")
def _():
    policy = {"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"AWS": "000000000000"}, "Action": "dynamodb:GetItem", "Resource": arn}]}
    of = ["--resource-arn", arn]
    revision = db("put-resource-policy", *of, "--policy", policy)["RevisionId"]
    now = db("get-resource-policy", *of)
    equal((json.loads(now["Policy"]), now["RevisionId"]), (policy, revision))
    refused("PolicyNotFoundException", db, "put-resource-policy", *of, "--policy", policy, "--expected-revision-id", "1")
    equal(db("delete-resource-policy", *of, "--expected-revision-id", revision)["RevisionId"], revision)
    refused("PolicyNotFoundException", db, "get-resource-policy", *of)


@step("streams")
def _():
    (stream,) = aws("dynamodbstreams", "list-streams", "--table-name", "Orders")["Streams"]
    of = ["--stream-arn", stream["StreamArn"]]
    description = aws("dynamodbstreams", "describe-stream", *of)["StreamDescription"]
    equal((description["StreamStatus"], description["StreamViewType"]), ("ENABLED", "NEW_AND_OLD_IMAGES"))
    lines = []
    for shard in description["Shards"]:
        iterator = aws("dynamodbstreams", "get-shard-iterator", *of, "--shard-id", shard["ShardId"],
                       "--shard-iterator-type", "TRIM_HORIZON")["ShardIterator"]
        for record in aws("dynamodbstreams", "get-records", "--shard-iterator", iterator)["Records"]:
            change = record["dynamodb"]
            if change["Keys"] == key("c1", "0001"):
                lines.append((record["eventName"], *(change.get(image, {}).get("total", {}).get("N")
                                                     for image in ("OldImage", "NewImage"))))
    equal(lines[:3], [("INSERT", None, "12.5"), ("MODIFY", "12.5", "20"), ("MODIFY", "20", "25")])


@step("crc32")
def _():  # the CLI checks each answer, and tries again: run_tours counts the tries
    equal(on_orders("get-item", "--key", key("damaged", "once")), None)


@step("delete-table")
def _():
    for table in ("Orders", "Audit"):
        equal(db("delete-table", "--table-name", table)["TableDescription"]["TableStatus"], "DELETING")
        aws("dynamodb", "wait", "table-not-exists", "--table-name", table)
    equal(db("list-tables")["TableNames"], [])


sys.exit(1 if failed else 0)
