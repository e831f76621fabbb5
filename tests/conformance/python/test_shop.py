# SPDX-License-Identifier: Apache-2.0
"""examples/shop.kw.yaml, designed by hand as one table with three overloaded indexes beside a table of
readings, asked through boto3. Each question of the model is one Query or GetItem, but for the monthly
report, which says that it is a Scan.

Units: aws-doc: "DynamoDB item sizes and formats", "Read consistency and capacity units".
"""
from decimal import Decimal

import pytest
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError
from conftest import total, units


def user(number, name, email, phone=None):
    item = {"pk": f"USER#{number}", "sk": "USER", "userId": number, "name": name, "email": email,
            "gsi1pk": f"EMAIL#{email}", "gsi1sk": "USER"}
    if phone:  # sparse: who has no phone is not in gsi2
        item |= {"phone": phone, "gsi2pk": f"PHONE#{phone}", "gsi2sk": "USER"}
    return item


def purchase(order, user_id, created, status, amount):
    item = {"pk": f"ORDER#{order}", "sk": "ORDER", "orderId": order, "userId": user_id, "createdAt": created,
            "status": status, "total": Decimal(amount), "gsi1pk": f"USER#{user_id}", "gsi1sk": f"ORDER#{created}",
            "gsi2pk": f"HOUR#{created[:13]}", "gsi2sk": created}
    if status == "PENDING":  # sparse: only what is pending
        item |= {"gsi3pk": "STATUS#PENDING", "gsi3sk": created}
    return item


def line(order, product, quantity, price):
    return {"pk": f"ORDER#{order}", "sk": f"LINE#{product}", "orderId": order, "productId": product,
            "quantity": quantity, "price": Decimal(price), "gsi1pk": f"PRODUCT#{product}", "gsi1sk": f"ORDER#{order}"}


def follow(follower, followed, at):
    return {"pk": f"USER#{follower}", "sk": f"FOLLOWS#{followed}", "followerId": follower, "followedId": followed,
            "followedAt": at, "gsi1pk": f"USER#{followed}", "gsi1sk": f"FOLLOWER#{follower}"}


def comment(post, created, number, author):
    return {"pk": f"POST#{post}", "sk": f"COMMENT#{created}#{number}", "postId": post, "createdAt": created,
            "commentId": number, "userId": author, "content": "c" * 200}


# 96 bytes: pk 2+10, sk 2+4, userId 6+5, name 4+4, email 5+16, gsi1pk 6+22, gsi1sk 6+4; and with a
# phone (phone 5+8, gsi2pk 6+14, gsi2sk 6+4) 139.
JOHN = user("12345", "John", "john@example.com", phone="+4912345")
JANE = user("12346", "Jane", "jane@example.com")
# The same prefix, longer: never part of an answer about 12345.
NEIGHBOUR = user("123456", "Jo", "john@example.co")

FIRST = purchase("2024-001234", "12345", "2026-06-01T10:05:00Z", "COMPLETED", "59.90")
SECOND = purchase("2024-001235", "12345", "2026-06-01T10:40:00Z", "PENDING", "7.00")
THIRD = purchase("2024-001236", "12345", "2026-06-30T23:59:59Z", "PENDING", "1200.05")
OTHER = purchase("2024-001237", "12346", "2026-06-01T10:20:00Z", "PENDING", "3.10")
JULY = purchase("2024-001238", "123456", "2026-07-01T00:00:00Z", "CANCELLED", "8.88")
LINES = [line("2024-001234", "PROD001", 2, "19.95"), line("2024-001234", "PROD002", 1, "20.00")]
OTHER_LINE = line("2024-001237", "PROD001", 3, "19.95")

CART = {"pk": "USER#12345", "sk": "CART", "userId": "12345", "updatedAt": "2026-06-01T09:00:00Z",
        "items": [{"productId": "PROD001", "quantity": 2}, {"productId": "PROD009", "quantity": 1}]}
FOLLOWS = [follow("12345", "12346", "2026-01-01T00:00:00Z"), follow("12345", "777", "2026-02-01T00:00:00Z"),
           follow("777", "12346", "2026-03-01T00:00:00Z")]
# 310 bytes each: pk 2+7, sk 2+32 (COMMENT#, the time, #, c and two digits), postId 6+2, createdAt 9+20,
# commentId 9+3, userId 6+5, content 7+200.
COMMENTS = [comment("p1", f"2026-06-01T10:{minute:02}:00Z", f"c{minute:02}", "12345") for minute in range(60)]


@pytest.fixture(scope="module")
def shop(make_table):
    table = make_table("Shop", ("pk", "sk"), {
        "gsi1": (("gsi1pk", "gsi1sk"), "ALL"),
        "gsi2": (("gsi2pk", "gsi2sk"), "ALL"),
        "gsi3": (("gsi3pk", "gsi3sk"), "ALL"),
    })
    with table.batch_writer() as batch:
        for item in [JOHN, JANE, NEIGHBOUR, FIRST, SECOND, THIRD, OTHER, JULY, *LINES, OTHER_LINE, CART, *FOLLOWS, *COMMENTS]:
            batch.put_item(item)
    return table


@pytest.fixture(scope="module")
def readings(make_table):
    table = make_table("Readings", ("deviceId", "at"))
    with table.batch_writer() as batch:
        for device in ("SENSOR001", "SENSOR0010"):  # the second must never show up for the first
            for minute in range(120):
                batch.put_item(reading(device, minute))
    return table


def reading(device, minute):
    # 63 bytes of SENSOR001: deviceId 8+9, at 2+20, temperature 11+3 (21.5: one pair before the point,
    # one after it, and 1), humidity 8+2
    return {"deviceId": device, "at": f"2026-06-01T{10 + minute // 60}:{minute % 60:02}:00Z",
            "temperature": Decimal("21.5"), "humidity": 40}


def ask(table, **query):
    return table.query(ReturnConsumedCapacity="TOTAL", **query)


def test_user_is_one_get_item(shop):
    answer = shop.get_item(Key={"pk": "USER#12345", "sk": "USER"}, ReturnConsumedCapacity="TOTAL")
    assert answer["Item"] == JOHN
    assert total(answer) == 0.5


def test_user_by_email(shop):
    answer = ask(shop, IndexName="gsi1", KeyConditionExpression=Key("gsi1pk").eq("EMAIL#john@example.com"))
    assert answer["Items"] == [JOHN]
    assert total(answer) == 0.5


def test_user_by_phone(shop):
    answer = ask(shop, IndexName="gsi2", KeyConditionExpression=Key("gsi2pk").eq("PHONE#+4912345"))
    assert answer["Items"] == [JOHN]
    assert total(answer) == 0.5


ORDERS_OF_JOHN = Key("gsi1pk").eq("USER#12345") & Key("gsi1sk").begins_with("ORDER#")


def test_orders_of_user_newest_first(shop):
    answer = ask(shop, IndexName="gsi1", KeyConditionExpression=ORDERS_OF_JOHN, ScanIndexForward=False, Limit=25)
    assert answer["Items"] == [THIRD, SECOND, FIRST]
    assert total(answer) == 0.5
    assert "LastEvaluatedKey" not in answer


def test_orders_of_user_in_pages(shop):
    first = ask(shop, IndexName="gsi1", KeyConditionExpression=ORDERS_OF_JOHN, ScanIndexForward=False, Limit=2)
    assert first["Items"] == [THIRD, SECOND]
    assert first["LastEvaluatedKey"] == {name: SECOND[name] for name in ("pk", "sk", "gsi1pk", "gsi1sk")}
    rest = ask(shop, IndexName="gsi1", KeyConditionExpression=ORDERS_OF_JOHN, ScanIndexForward=False,
               ExclusiveStartKey=first["LastEvaluatedKey"])
    assert rest["Items"] == [FIRST]


def test_order(shop):
    answer = shop.get_item(Key={"pk": "ORDER#2024-001234", "sk": "ORDER"}, ReturnConsumedCapacity="TOTAL")
    assert answer["Item"] == FIRST
    assert answer["Item"]["total"] == Decimal("59.9")
    assert total(answer) == 0.5


def test_order_with_lines_is_one_query(shop):
    answer = ask(shop, KeyConditionExpression=Key("pk").eq("ORDER#2024-001234"))
    assert answer["Items"] == [*LINES, FIRST]
    assert total(answer) == 0.5


def test_orders_of_hour(shop):
    answer = ask(shop, IndexName="gsi2", KeyConditionExpression=Key("gsi2pk").eq("HOUR#2026-06-01T10"), Limit=500)
    assert answer["Items"] == [FIRST, OTHER, SECOND]
    assert total(answer) == 0.5


def test_orders_in_range_includes_both_ends(shop):
    condition = Key("gsi1pk").eq("USER#12345") & Key("gsi1sk").between("ORDER#2026-06-01T10:40:00Z", "ORDER#2026-06-30T23:59:59Z")
    answer = ask(shop, IndexName="gsi1", KeyConditionExpression=condition, Limit=100)
    assert answer["Items"] == [SECOND, THIRD]
    assert total(answer) == 0.5


def test_monthly_report_is_a_scan(shop):
    answer = shop.scan(FilterExpression=Attr("sk").eq("ORDER") & Attr("createdAt").begins_with("2026-06"),
                       ReturnConsumedCapacity="TOTAL")
    assert sorted(item["orderId"] for item in answer["Items"]) == [item["orderId"] for item in (FIRST, SECOND, THIRD, OTHER)]
    assert answer["ScannedCount"] == 75  # 3 users, 5 orders, 3 lines, 1 cart, 3 follows, 60 comments
    # All that was read is paid for: users 139 + 96 + 94, orders 205 + 248 + 250 + 249 + 207, lines
    # 129 + 128 + 129, the cart 130, follows 123 + 117 + 117, comments 60 × 310: 20,961 bytes, six
    # steps of 4 KB, half price.
    assert total(answer) == 3


def test_pending_orders_is_a_sparse_index(shop):
    answer = ask(shop, IndexName="gsi3", KeyConditionExpression=Key("gsi3pk").eq("STATUS#PENDING"), Limit=100)
    assert answer["Items"] == [OTHER, SECOND, THIRD]
    assert total(answer) == 0.5


def test_orders_of_product(shop):
    answer = ask(shop, IndexName="gsi1", KeyConditionExpression=Key("gsi1pk").eq("PRODUCT#PROD001"),
                 ProjectionExpression="orderId, quantity", Limit=200)
    assert answer["Items"] == [{"orderId": "2024-001234", "quantity": 2}, {"orderId": "2024-001237", "quantity": 3}]
    assert total(answer) == 0.5


def test_count_orders_returns_no_items(shop):
    answer = ask(shop, IndexName="gsi1", KeyConditionExpression=ORDERS_OF_JOHN, Select="COUNT")
    assert answer["Count"] == 3
    assert "Items" not in answer
    assert total(answer) == 0.5


def test_cart_is_a_strong_get_item(shop):
    answer = shop.get_item(Key={"pk": "USER#12345", "sk": "CART"}, ConsistentRead=True, ReturnConsumedCapacity="TOTAL")
    assert answer["Item"] == CART
    assert total(answer) == 1


def test_following(shop):
    answer = ask(shop, KeyConditionExpression=Key("pk").eq("USER#12345") & Key("sk").begins_with("FOLLOWS#"),
                 ProjectionExpression="followedId, followedAt", Limit=500)
    assert answer["Items"] == [{"followedId": "12346", "followedAt": "2026-01-01T00:00:00Z"},
                               {"followedId": "777", "followedAt": "2026-02-01T00:00:00Z"}]
    assert total(answer) == 0.5


def test_followers(shop):
    answer = ask(shop, IndexName="gsi1", Limit=500, ProjectionExpression="followerId",
                 KeyConditionExpression=Key("gsi1pk").eq("USER#12346") & Key("gsi1sk").begins_with("FOLLOWER#"))
    assert answer["Items"] == [{"followerId": "12345"}, {"followerId": "777"}]
    assert total(answer) == 0.5


def test_comments(shop):
    answer = ask(shop, KeyConditionExpression=Key("pk").eq("POST#p1"), Limit=50)
    assert answer["Items"] == COMMENTS[:50]
    # 50 × 310 = 15,500: four steps, half price.
    assert total(answer) == 2


def test_last_hour(readings):
    answer = ask(readings, KeyConditionExpression=Key("deviceId").eq("SENSOR001") & Key("at").gte("2026-06-01T11:00:00Z"), Limit=3600)
    assert answer["Items"] == [reading("SENSOR001", minute) for minute in range(60, 120)]
    # 60 × 63 = 3,780: one step.
    assert total(answer) == 0.5


def test_an_order_is_one_transaction(shop):
    order = purchase("2024-009999", "12346", "2026-06-02T08:00:00Z", "PENDING", "30.00")
    lines = [line("2024-009999", f"PROD00{n}", 1, "10.00") for n in (1, 2, 3)]
    answer = shop.meta.client.transact_write_items(
        ReturnConsumedCapacity="INDEXES",
        TransactItems=[{"Put": {"TableName": "Shop", "Item": item, "ConditionExpression": "attribute_not_exists(pk)"}}
                       for item in (order, *lines)],
    )
    (consumed,) = answer["ConsumedCapacity"]
    # Four items under 1 KB at twice 1; gsi1 holds all four, gsi2 and gsi3 the order, at 1 each.
    assert units({"ConsumedCapacity": consumed}) == (8, {"gsi1": 4, "gsi2": 1, "gsi3": 1})
    for item in (order, *lines):
        shop.delete_item(Key={"pk": item["pk"], "sk": item["sk"]})


def test_set_status_leaves_the_sparse_index(shop):
    key = {"pk": SECOND["pk"], "sk": "ORDER"}
    answer = shop.update_item(Key=key, UpdateExpression="SET #status = :done REMOVE gsi3pk, gsi3sk",
                              ExpressionAttributeNames={"#status": "status"}, ExpressionAttributeValues={":done": "COMPLETED"},
                              ReturnConsumedCapacity="INDEXES")
    # gsi1 and gsi2 project all and so rewrite their entry; gsi3 deletes its own.
    assert units(answer) == (1, {"gsi1": 1, "gsi2": 1, "gsi3": 1})
    pending = ask(shop, IndexName="gsi3", KeyConditionExpression=Key("gsi3pk").eq("STATUS#PENDING"))
    assert pending["Items"] == [OTHER, THIRD]
    shop.put_item(Item=SECOND)


def test_an_address_is_taken_once(shop):
    """sign-up: the user and a guard item for the address, in one transaction."""
    def sign_up(number, email):
        guard = {"pk": f"EMAIL#{email}", "sk": "GUARD", "userId": number}
        shop.meta.client.transact_write_items(TransactItems=[
            {"Put": {"TableName": "Shop", "Item": item, "ConditionExpression": "attribute_not_exists(pk)"}}
            for item in (user(number, "New", email), guard)
        ])

    sign_up("500", "new@example.com")
    with pytest.raises(ClientError) as refused:
        sign_up("501", "new@example.com")
    assert refused.value.response["Error"]["Code"] == "TransactionCanceledException"
    reasons = [reason["Code"] for reason in refused.value.response["CancellationReasons"]]
    assert reasons == ["None", "ConditionalCheckFailed"]
    assert "Item" not in shop.get_item(Key={"pk": "USER#501", "sk": "USER"})
    for key in ({"pk": "USER#500", "sk": "USER"}, {"pk": "EMAIL#new@example.com", "sk": "GUARD"}):
        shop.delete_item(Key=key)


@pytest.mark.parametrize("attribute", ["pk", "sk"])
def test_a_key_attribute_cannot_be_updated(shop, attribute):
    with pytest.raises(ClientError) as refused:
        shop.update_item(Key={"pk": "USER#12345", "sk": "USER"}, UpdateExpression=f"SET {attribute} = :value",
                         ExpressionAttributeValues={":value": "x"})
    assert refused.value.response["Error"]["Code"] == "ValidationException"


def test_an_item_moves_by_delete_and_put(shop):
    old = comment("p2", "2026-06-01T00:00:00Z", "c1", "12345")
    new = comment("p3", "2026-06-01T00:00:00Z", "c1", "12345")
    shop.put_item(Item=old)
    shop.meta.client.transact_write_items(TransactItems=[
        {"Delete": {"TableName": "Shop", "Key": {"pk": old["pk"], "sk": old["sk"]}, "ConditionExpression": "attribute_exists(pk)"}},
        {"Put": {"TableName": "Shop", "Item": new, "ConditionExpression": "attribute_not_exists(pk)"}},
    ])
    assert ask(shop, KeyConditionExpression=Key("pk").eq("POST#p2"))["Items"] == []
    assert ask(shop, KeyConditionExpression=Key("pk").eq("POST#p3"))["Items"] == [new]
    shop.delete_item(Key={"pk": new["pk"], "sk": new["sk"]})
