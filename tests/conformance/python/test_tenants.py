# SPDX-License-Identifier: Apache-2.0
"""examples/tenants.kw.yaml, designed by hand as one partition a tenant and two sparse indexes, asked
through boto3. Each question is one Query.

Units: aws-doc: "DynamoDB item sizes and formats", "Read consistency and capacity units".
"""
from decimal import Decimal

import pytest
from boto3.dynamodb.conditions import Key
from conftest import total, units


def tenant(name):
    return {"pk": f"TENANT#{name}", "sk": "TENANT", "tenantId": name, "name": name.title(), "plan": "team"}


def member(tenant_id, user_id, role="member"):
    item = {"pk": f"TENANT#{tenant_id}", "sk": f"USER#{user_id}", "tenantId": tenant_id, "userId": user_id,
            "email": f"{user_id}@example.com", "role": role}
    if role == "admin":
        item |= {"adminPk": "ADMINS", "adminSk": f"{tenant_id}#{user_id}"}
    return padded(item, 2048)


def group(tenant_id, group_id):
    return {"pk": f"TENANT#{tenant_id}", "sk": f"USERGROUP#{group_id}", "tenantId": tenant_id, "groupId": group_id,
            "title": "A group"}


def invoice(tenant_id, number, due, status="open"):
    item = {"pk": f"TENANT#{tenant_id}", "sk": f"INVOICE#{number}", "tenantId": tenant_id, "invoiceNo": number,
            "status": status, "dueDate": due, "amount": Decimal("100.50")}
    if status == "open":
        item |= {"openPk": "INVOICES", "openSk": f"{due}#{tenant_id}#{number}"}
    return item


def event(tenant_id, at):
    return padded({"pk": f"TENANT#{tenant_id}", "sk": f"AUDIT#{at}", "tenantId": tenant_id, "at": at, "actor": "u_1",
                   "action": "login"}, 1024)


def padded(item, size):
    """The item with an attribute `padding` that brings it to `size` bytes; its values are ASCII strings."""
    filled = sum(len(name) + len(value) for name, value in item.items())
    return item | {"padding": "x" * (size - filled - len("padding"))}


ACME = tenant("acme")
ADMIN = member("acme", "u_3001", "admin")
MEMBERS = [ADMIN, *(member("acme", f"u_30{n:02}") for n in range(2, 6))]
GROUPS = [group("acme", "g1"), group("acme", "g2")]
INVOICES = [invoice("acme", "2026-0014", "2026-08-01"), invoice("acme", "2026-0015", "2026-07-01"),
            invoice("acme", "2026-0016", "2026-06-01", "paid")]
EVENTS = [event("acme", f"2026-06-01T10:00:00.{n:06}Z") for n in range(8)]
# Of another tenant, whose name begins alike.
OTHER = [tenant("acmeplus"), member("acmeplus", "u_1", "admin"), invoice("acmeplus", "2026-0001", "2026-07-15"),
         event("acmeplus", "2026-06-01T10:00:00.000003Z")]


@pytest.fixture(scope="module")
def tenants(make_table):
    table = make_table("Tenants", ("pk", "sk"), {
        "open": (("openPk", "openSk"), "ALL"),
        "admins": (("adminPk", "adminSk"), ["tenantId", "userId", "email"]),
    })
    with table.batch_writer() as batch:
        for item in [ACME, *MEMBERS, *GROUPS, *INVOICES, *EVENTS, *OTHER]:
            batch.put_item(item)
    return table


def ask(table, **query):
    return table.query(ReturnConsumedCapacity="TOTAL", **query)


def of_acme(condition):
    return Key("pk").eq("TENANT#acme") & condition


def test_members(tenants):
    answer = ask(tenants, KeyConditionExpression=of_acme(Key("sk").begins_with("USER#")), Limit=200)
    assert answer["Items"] == MEMBERS
    assert total(answer) == 1.5  # 5 × 2,048 = 10,240 bytes: three steps, half price


def test_a_prefix_without_its_delimiter_returns_too_much(tenants):
    """The pitfall that the delimiter avoids: USER is a prefix of USERGROUP."""
    answer = ask(tenants, KeyConditionExpression=of_acme(Key("sk").begins_with("USER")))
    assert answer["Items"] == [*MEMBERS, *GROUPS]


def test_a_mistyped_prefix_finds_nothing_in_silence(tenants):
    answer = ask(tenants, KeyConditionExpression=of_acme(Key("sk").begins_with("USERS#")))
    assert (answer["Items"], answer["Count"]) == ([], 0)
    assert total(answer) == 0.5  # assumed: reading nothing costs the least step, as it does for GetItem


def test_groups(tenants):
    answer = ask(tenants, KeyConditionExpression=of_acme(Key("sk").begins_with("USERGROUP#")))
    assert answer["Items"] == GROUPS
    assert total(answer) == 0.5


def test_invoices(tenants):
    answer = ask(tenants, KeyConditionExpression=of_acme(Key("sk").begins_with("INVOICE#")), Limit=100)
    assert answer["Items"] == INVOICES
    assert total(answer) == 0.5


def test_open_invoices_of_all_tenants_by_due_date(tenants):
    answer = ask(tenants, IndexName="open", KeyConditionExpression=Key("openPk").eq("INVOICES"), Limit=100)
    assert answer["Items"] == [INVOICES[1], OTHER[2], INVOICES[0]]
    assert total(answer) == 0.5


def test_all_admins(tenants):
    answer = ask(tenants, IndexName="admins", KeyConditionExpression=Key("adminPk").eq("ADMINS"), Limit=200,
                 ProjectionExpression="tenantId, userId, email")
    assert answer["Items"] == [{name: one[name] for name in ("tenantId", "userId", "email")} for one in (ADMIN, OTHER[1])]
    assert total(answer) == 0.5  # the entries leave the padding out


def test_recent_audit_newest_first(tenants):
    since = "AUDIT#2026-06-01T10:00:00.000003Z"
    answer = ask(tenants, KeyConditionExpression=of_acme(Key("sk").between(since, "AUDIT#9")), ScanIndexForward=False, Limit=50)
    assert answer["Items"] == EVENTS[3:][::-1]
    assert total(answer) == 1  # 5 × 1,024 = 5,120 bytes: two steps, half price


def test_a_range_left_open_returns_other_entities(tenants):
    """The pitfall that the closed range avoids."""
    answer = ask(tenants, KeyConditionExpression=of_acme(Key("sk").gte("AUDIT#2026-06-01T10:00:00.000007Z")))
    assert answer["Items"] == [EVENTS[7], *INVOICES, ACME, *MEMBERS, *GROUPS]


def test_whole_tenant(tenants):
    answer = ask(tenants, KeyConditionExpression=Key("pk").eq("TENANT#acme"))
    assert answer["Items"] == [*EVENTS, *INVOICES, ACME, *MEMBERS, *GROUPS]
    # Events 8 × 1,024, members 5 × 2,048: 18,432. Invoices, two open ones of 144 and a paid one of 99.
    # The tenant 49, groups 2 × 60. 18,988 bytes: five steps, half price.
    assert total(answer) == 2.5


def test_an_event_of_exactly_1_kb_costs_one_unit_and_a_byte_more_two(tenants):
    one = event("acme", "2026-06-01T11:00:00.000000Z")
    assert units(tenants.put_item(Item=one, ReturnConsumedCapacity="INDEXES")) == (1, {})
    one["padding"] += "x"
    assert units(tenants.put_item(Item=one, ReturnConsumedCapacity="INDEXES")) == (2, {})
    answer = tenants.delete_item(Key={"pk": one["pk"], "sk": one["sk"]}, ReturnConsumedCapacity="INDEXES")
    assert units(answer) == (2, {})  # a delete costs what it deletes


def test_pay_invoice_leaves_the_sparse_index(tenants):
    open_one = INVOICES[0]
    answer = tenants.update_item(
        Key={"pk": open_one["pk"], "sk": open_one["sk"]},
        UpdateExpression="SET #status = :paid REMOVE openPk, openSk",
        ConditionExpression="#status = :open",
        ExpressionAttributeNames={"#status": "status"},
        ExpressionAttributeValues={":paid": "paid", ":open": "open"},
        ReturnValues="ALL_NEW",
        ReturnConsumedCapacity="INDEXES",
    )
    assert units(answer) == (1, {"open": 1})
    assert answer["Attributes"] == invoice("acme", "2026-0014", "2026-08-01", "paid")
    left = ask(tenants, IndexName="open", KeyConditionExpression=Key("openPk").eq("INVOICES"))
    assert left["Items"] == [INVOICES[1], OTHER[2]]
