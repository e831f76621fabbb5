// SPDX-License-Identifier: Apache-2.0
// examples/tickets.kw.yaml, designed by hand twice: with the status in an index key, and in the base
// sort key. Each question is one Query or GetItem; the price of a change of status is compared.
// Units: aws-doc: "DynamoDB item sizes and formats"; index writes: aws-doc: "Using Global Secondary
// Indexes in DynamoDB", "Write capacity units".
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { GetCommand, PutCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { createTable, deleteTable, documents, unitsByPlace } from "./clients.js";

// 1,000 bytes: ticketId 8+4, teamId 6+1, status 6+4, priority 8+2, createdAt 9+20, subject 7+925.
// With the priority index's keys, openTeam 8+6 and openSort 8+22: 1,044.
function ticket({ ticketId, teamId, status, priority, createdAt }) {
  return { ticketId, teamId, status, priority, createdAt, subject: "x".repeat(925) };
}

// Only open tickets have the keys of the priority index; 5 sorts first as 0.
function withPriorityKeys(item) {
  if (item.status !== "open") return item;
  return { ...item, openTeam: `TEAM#${item.teamId}`, openSort: `${5 - item.priority}#${item.createdAt}` };
}

const tickets = [
  ticket({ ticketId: "8840", teamId: "7", status: "open", priority: 2, createdAt: "2026-06-25T10:00:00Z" }),
  ticket({ ticketId: "8841", teamId: "7", status: "open", priority: 5, createdAt: "2026-06-26T10:00:00Z" }),
  ticket({ ticketId: "8842", teamId: "7", status: "open", priority: 5, createdAt: "2026-06-27T10:00:00Z" }),
  ticket({ ticketId: "8843", teamId: "7", status: "closed", priority: 5, createdAt: "2026-06-24T10:00:00Z" }),
  ticket({ ticketId: "8844", teamId: "77", status: "open", priority: 5, createdAt: "2026-06-24T10:00:00Z" }),
].map(withPriorityKeys);
const [low, first, second, closed, otherTeam] = tickets;

describe("tickets, the status in index keys", () => {
  const TableName = "Tickets";

  async function query(IndexName, KeyConditionExpression, values) {
    const names = KeyConditionExpression.includes("#status") ? { ExpressionAttributeNames: { "#status": "status" } } : {};
    return documents.send(
      new QueryCommand({
        TableName, IndexName, KeyConditionExpression, ...names,
        ExpressionAttributeValues: values, Limit: 100, ReturnConsumedCapacity: "TOTAL",
      }),
    );
  }
  const byStatus = (teamId, status) =>
    query("byTeamAndStatus", "teamId = :team AND #status = :status", { ":team": teamId, ":status": status });

  before(async () => {
    await createTable(TableName, {
      partition: "ticketId",
      indexes: {
        byTeamAndStatus: { partition: ["teamId", "status"], sort: "createdAt" }, // a multi-attribute key
        openByPriority: { partition: "openTeam", sort: "openSort" },
      },
    });
    for (const Item of tickets) await documents.send(new PutCommand({ TableName, Item }));
  });
  after(() => deleteTable(TableName));

  it("ticket is one strong GetItem", async () => {
    const answer = await documents.send(
      new GetCommand({ TableName, Key: { ticketId: "8842" }, ConsistentRead: true, ReturnConsumedCapacity: "TOTAL" }),
    );
    assert.deepEqual(answer.Item, second);
    assert.equal(answer.ConsumedCapacity.CapacityUnits, 1); // 1,044 bytes: one step of 4 KB
  });

  it("team-by-status is one Query, oldest first", async () => {
    const answer = await byStatus("7", "open");
    assert.deepEqual(answer.Items, [low, first, second]);
    assert.equal(answer.ConsumedCapacity.CapacityUnits, 0.5); // 3 × 1,044 = 3,132 bytes: one step
    assert.deepEqual((await byStatus("77", "open")).Items, [otherTeam]);
    assert.deepEqual((await byStatus("7", "pending")).Items, []);
  });

  it("a multi-attribute key wants every partition attribute", async () => {
    // aws-doc: "Multi-attribute keys pattern": all partition key attributes by equality.
    await assert.rejects(query("byTeamAndStatus", "teamId = :team", { ":team": "7" }), { name: "ValidationException" });
  });

  it("open-by-priority is one Query: priority falling, time rising", async () => {
    const answer = await query("openByPriority", "openTeam = :team", { ":team": "TEAM#7" });
    assert.deepEqual(answer.Items, [first, second, low]); // the closed one has left the index
    assert.equal(answer.ConsumedCapacity.CapacityUnits, 0.5);
  });

  it("set-status rewrites two index entries", async () => {
    const { Attributes, ConsumedCapacity } = await documents.send(
      new UpdateCommand({
        TableName,
        Key: { ticketId: "8840" },
        UpdateExpression: "SET #status = :status REMOVE openTeam, openSort",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: { ":status": "closed" },
        ReturnValues: "ALL_NEW",
        ReturnConsumedCapacity: "INDEXES",
      }),
    );
    // The larger of before, 1,044, and after, 1,002: two steps. byTeamAndStatus changes its key: it
    // deletes 1,044 (2) and puts 1,002 (1). openByPriority loses its entry of 1,044: 2.
    assert.deepEqual(unitsByPlace(ConsumedCapacity), { table: 2, byTeamAndStatus: 3, openByPriority: 2 });
    const { openTeam, openSort, ...left } = low;
    assert.deepEqual(Attributes, { ...left, status: "closed" });
    assert.deepEqual((await byStatus("7", "open")).Items, [first, second]);
    assert.deepEqual((await byStatus("7", "closed")).Items, [closed, Attributes]);
  });
});

describe("the price of a status change of a ticket under 1 KB", () => {
  const plain = ticket({ ticketId: "9000", teamId: "7", status: "open", priority: 1, createdAt: "2026-06-27T10:00:00Z" });

  it("in an index key: one for the table, two for the index", async () => {
    const TableName = "TicketsByIndex";
    await createTable(TableName, {
      partition: "ticketId",
      indexes: { byStatus: { partition: "status", sort: "createdAt" } },
    });
    await documents.send(new PutCommand({ TableName, Item: plain }));
    const { ConsumedCapacity } = await documents.send(
      new UpdateCommand({
        TableName,
        Key: { ticketId: "9000" },
        UpdateExpression: "SET #status = :status",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: { ":status": "closed" },
        ReturnConsumedCapacity: "INDEXES",
      }),
    );
    assert.deepEqual(unitsByPlace(ConsumedCapacity), { table: 1, byStatus: 2 });
    assert.equal(ConsumedCapacity.CapacityUnits, 3);
    await deleteTable(TableName);
  });

  it("in the base sort key: a delete and a put in a transaction, four", async () => {
    const TableName = "TicketsByKey";
    await createTable(TableName, { partition: "teamId", sort: "statusKey" });
    // 1,000 - 25 of subject + statusKey 9+32 = 1,016 bytes open, 1,020 closed: one step each.
    const { subject, ...rest } = plain;
    const keyed = (status) => ({ ...rest, subject: "x".repeat(900), status, statusKey: `STATUS#${status}#${plain.createdAt}` });
    await documents.send(new PutCommand({ TableName, Item: keyed("open") }));
    const key = ({ teamId, statusKey }) => ({ teamId, statusKey });
    const { ConsumedCapacity } = await documents.send(
      new TransactWriteCommand({
        ReturnConsumedCapacity: "TOTAL",
        TransactItems: [
          { Delete: { TableName, Key: key(keyed("open")), ConditionExpression: "attribute_exists(teamId)" } },
          { Put: { TableName, Item: keyed("closed"), ConditionExpression: "attribute_not_exists(teamId)" } },
        ],
      }),
    );
    assert.equal(ConsumedCapacity[0].CapacityUnits, 4); // (1 + 1) × 2
    const open = await documents.send(new GetCommand({ TableName, Key: key(keyed("open")) }));
    const done = await documents.send(new GetCommand({ TableName, Key: key(keyed("closed")) }));
    assert.deepEqual([open.Item, done.Item], [undefined, keyed("closed")]);
    await deleteTable(TableName);
  });
});
