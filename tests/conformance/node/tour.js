// SPDX-License-Identifier: Apache-2.0
// The tour (../tour.md) with the AWS SDK for JavaScript v3: bare clients, commands, paginators, waiters.
import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import {
  BatchExecuteStatementCommand, BatchGetItemCommand, BatchWriteItemCommand, ConditionalCheckFailedException,
  CreateTableCommand, DeleteItemCommand, DeleteResourcePolicyCommand, DeleteTableCommand,
  DescribeContributorInsightsCommand, DescribeEndpointsCommand, DescribeLimitsCommand, DescribeTableCommand,
  DescribeTimeToLiveCommand, DuplicateItemException, DynamoDBClient, DynamoDBServiceException,
  ExecuteStatementCommand, ExecuteTransactionCommand, GetItemCommand, GetResourcePolicyCommand,
  IdempotentParameterMismatchException, ListTablesCommand, ListTagsOfResourceCommand, PolicyNotFoundException,
  ProvisionedThroughputExceededException, PutItemCommand, PutResourcePolicyCommand, QueryCommand,
  ResourceInUseException, ResourceNotFoundException, ScanCommand, TagResourceCommand, TransactGetItemsCommand,
  TransactWriteItemsCommand, TransactionCanceledException, UntagResourceCommand, UpdateContributorInsightsCommand,
  UpdateItemCommand, UpdateTableCommand, UpdateTimeToLiveCommand, paginateListContributorInsights,
  paginateListTables, paginateQuery, paginateScan, waitUntilTableExists, waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand, DynamoDBStreamsClient, GetRecordsCommand, GetShardIteratorCommand, ListStreamsCommand,
} from "@aws-sdk/client-dynamodb-streams";

const client = new DynamoDBClient({});
const streams = new DynamoDBStreamsClient({});
let failed = 0;

// This SDK does not check the CRC of an answer; so the tour does, and has the SDK try again.
let answersChecked = 0;
client.middlewareStack.addRelativeTo(
  (next) => async (call) => {
    const result = await next(call);
    const chunks = [];
    for await (const chunk of result.response.body) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    answersChecked += 1;
    if (String(crc32(body)) !== result.response.headers["x-amz-crc32"]) {
      throw Object.assign(new Error("the answer was damaged"), { $retryable: {} });
    }
    result.response.body = new Blob([body]).stream();
    return result;
  },
  { relation: "after", toMiddleware: "deserializerMiddleware", name: "checkCrc" },
);

const send = (command) => client.send(command);

async function step(name, walk) {
  try {
    await walk();
    console.log(`ok ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}`, error);
  }
}

// The error of the SDK's class that a command must end with.
async function refused(Exception, command) {
  try {
    await send(command);
  } catch (error) {
    assert.ok(error instanceof Exception, `${error}`);
    return error;
  }
  throw new Error("not refused");
}

const S = (text) => ({ S: text });
const N = (number) => ({ N: String(number) });
const TableName = "Orders";
const key = (customer, order) => ({ customer: S(customer), order: S(order) });
const order = (customer, number, total, status) => ({
  ...key(customer, number), total: N(total), ...(status && { status: S(status) }),
});
const number = (n) => String(n).padStart(4, "0");
const keys = (...names) => names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? "HASH" : "RANGE" }));
const attribute = (AttributeName, AttributeType) => ({ AttributeName, AttributeType });
const get = async (Key) => (await send(new GetItemCommand({ TableName, Key }))).Item;
const describe = async (name) => (await send(new DescribeTableCommand({ TableName: name }))).Table;
const pagesOf = async (pages) => {
  const all = [];
  for await (const page of pages) all.push(page);
  return all;
};
const ordersOf = (items) => items.map((item) => item.order.S);
const totalsOf = (items) => items.map((item) => Number(item.total.N));
const waiting = { client, minDelay: 1, maxWaitTime: 30 };

const create = {
  TableName,
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [attribute("customer", "S"), attribute("order", "S"), attribute("total", "N"), attribute("status", "S")],
  KeySchema: keys("customer", "order"),
  LocalSecondaryIndexes: [
    { IndexName: "byTotal", KeySchema: keys("customer", "total"), Projection: { ProjectionType: "KEYS_ONLY" } },
  ],
  GlobalSecondaryIndexes: [
    { IndexName: "byStatus", KeySchema: keys("status", "total"), Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["note"] } },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  Tags: [{ Key: "stage", Value: "tour" }],
  DeletionProtectionEnabled: true,
};
const bytes = (...values) => Uint8Array.from(values);
const allTypes = {
  ...key("c1", "0001"), total: N(12.5), status: S("OPEN"), bytes: { B: bytes(0, 255) }, flag: { BOOL: true },
  nothing: { NULL: true }, words: { SS: ["a", "b"] }, numbers: { NS: ["1", "2"] }, blobs: { BS: [bytes(1), bytes(2)] },
  list: { L: [S("x"), N(1)] }, map: { M: { inner: S("y") } },
};
let arn;

await step("create-table", async () => {
  const table = (await send(new CreateTableCommand(create))).TableDescription;
  arn = table.TableArn;
  assert.equal(table.TableStatus, "CREATING");
  assert.match(arn, /:table\/Orders$/);
  assert.ok(table.CreationDateTime instanceof Date);
});

await step("create-table-again", async () => {
  const error = await refused(ResourceInUseException, new CreateTableCommand(create));
  assert.match(error.message, /Orders/);
});

await step("wait-until-exists", async () => {
  await send(new CreateTableCommand({
    TableName: "Audit", KeySchema: keys("id"), AttributeDefinitions: [attribute("id", "N")],
    ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
  }));
  for (const name of [TableName, "Audit"]) {
    assert.equal((await waitUntilTableExists(waiting, { TableName: name })).state, "SUCCESS");
  }
});

await step("describe-table", async () => {
  const table = await describe(TableName);
  assert.equal(table.TableStatus, "ACTIVE");
  assert.deepEqual(table.KeySchema, keys("customer", "order"));
  assert.deepEqual(table.LocalSecondaryIndexes.map((index) => index.IndexName), ["byTotal"]);
  assert.deepEqual(table.GlobalSecondaryIndexes.map((index) => index.IndexName), ["byStatus"]);
  assert.equal(table.LatestStreamArn, `${arn}/stream/${table.LatestStreamLabel}`);
});

await step("list-tables", async () => {
  const pages = await pagesOf(paginateListTables({ client, pageSize: 1 }, {}));
  assert.deepEqual(pages.map((page) => page.TableNames).filter((names) => names.length), [["Audit"], ["Orders"]]);
});

await step("describe-limits", async () => {
  assert.equal((await send(new DescribeLimitsCommand({}))).AccountMaxReadCapacityUnits, 80000);
});

await step("describe-endpoints", async () => {
  const { Endpoints } = await send(new DescribeEndpointsCommand({}));
  assert.equal(Endpoints.length, 1);
  assert.equal(Endpoints[0].CachePeriodInMinutes, 1440);
  assert.ok(Endpoints[0].Address);
});

await step("throttled", async () => {
  const heavy = { TableName: "Audit", Item: { id: N(1), text: S("x".repeat(400_000)) } };
  await send(new PutItemCommand(heavy));
  const error = await refused(ProvisionedThroughputExceededException, new PutItemCommand(heavy));
  assert.equal(error.ThrottlingReasons[0].reason, "TableWriteProvisionedThroughputExceeded");
  assert.match(error.ThrottlingReasons[0].resource, /:table\/Audit$/);
  const Audit = [{ DeleteRequest: { Key: { id: N(2) } } }];
  const Orders = [{ DeleteRequest: { Key: key("c9", "0001") } }];
  const { UnprocessedItems } = await send(new BatchWriteItemCommand({ RequestItems: { Orders, Audit } }));
  assert.deepEqual(UnprocessedItems, { Audit });
  await send(new GetItemCommand({ TableName: "Audit", Key: { id: N(1) }, ConsistentRead: true }));
  const wanted = { Orders: { Keys: [key("c9", "0001")] }, Audit: { Keys: [{ id: N(1) }] } };
  const { Responses, UnprocessedKeys } = await send(new BatchGetItemCommand({ RequestItems: wanted }));
  assert.deepEqual(UnprocessedKeys, { Audit: wanted.Audit });
  assert.deepEqual(Responses.Orders, []);
});

await step("put-item", async () => {
  const answer = await send(new PutItemCommand({ TableName, Item: allTypes, ReturnConsumedCapacity: "TOTAL" }));
  assert.deepEqual(answer.ConsumedCapacity, { TableName, CapacityUnits: 3 });
});

await step("get-item", async () => {
  const { Item, ConsumedCapacity } = await send(
    new GetItemCommand({ TableName, Key: key("c1", "0001"), ConsistentRead: true, ReturnConsumedCapacity: "TOTAL" }),
  );
  for (const value of Object.values(Item)) (value.SS ?? value.NS ?? value.BS)?.sort();  // sets have no order
  assert.deepEqual(Item, allTypes);
  assert.equal(ConsumedCapacity.CapacityUnits, 1);
});

await step("put-item-again", async () => {
  const answer = await send(new PutItemCommand({ TableName, Item: order("c1", "0001", 20, "OPEN"), ReturnValues: "ALL_OLD" }));
  assert.deepEqual(answer.Attributes.total, N(12.5));
});

await step("update-item", async () => {
  const answer = await send(new UpdateItemCommand({
    TableName, Key: key("c1", "0001"), UpdateExpression: "SET #t = #t + :five", ReturnValues: "UPDATED_NEW",
    ExpressionAttributeNames: { "#t": "total" }, ExpressionAttributeValues: { ":five": N(5) },
  }));
  assert.deepEqual(answer.Attributes, { total: N(25) });
});

await step("condition-fails", async () => {
  const error = await refused(ConditionalCheckFailedException, new PutItemCommand({
    TableName, Item: order("c1", "0001", 1), ConditionExpression: "attribute_not_exists(customer)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  }));
  assert.equal(error.message, "The conditional request failed");
  assert.deepEqual(error.Item.total, N(25));
});

await step("validation-fails", async () => {
  const error = await refused(DynamoDBServiceException, new UpdateItemCommand({
    TableName, Key: key("c1", "0001"), UpdateExpression: "SET SET",
  }));
  assert.equal(error.name, "ValidationException");
  assert.match(error.message, /Invalid UpdateExpression: /);
});

await step("table-not-found", async () => {
  const error = await refused(ResourceNotFoundException, new GetItemCommand({ TableName: "Nowhere", Key: { id: N(1) } }));
  assert.equal(error.message, "Requested resource not found");
});

const upTo25 = Array.from({ length: 25 }, (_, i) => i + 1);

await step("batch-write", async () => {
  const puts = upTo25.map((n) => ({ PutRequest: { Item: order("c2", number(n), n, n % 2 ? "DONE" : "OPEN") } }));
  const answer = await send(new BatchWriteItemCommand({ RequestItems: { [TableName]: puts }, ReturnConsumedCapacity: "TOTAL" }));
  assert.deepEqual(answer.UnprocessedItems, {});
  assert.equal(answer.ConsumedCapacity[0].CapacityUnits, 75);
});

await step("batch-get", async () => {
  const { Responses, UnprocessedKeys } = await send(new BatchGetItemCommand({
    RequestItems: { [TableName]: {
      Keys: [1, 2, 3].map((n) => key("c2", number(n))), ProjectionExpression: "#o, #t",
      ExpressionAttributeNames: { "#o": "order", "#t": "total" },
    } },
  }));
  const items = Responses[TableName].sort((one, other) => one.total.N - other.total.N);
  assert.deepEqual(items, [1, 2, 3].map((n) => ({ order: S(number(n)), total: N(n) })));
  assert.deepEqual(UnprocessedKeys, {});
});

await step("query-pages", async () => {
  const pages = await pagesOf(paginateQuery({ client, pageSize: 10 }, {
    TableName, KeyConditionExpression: "customer = :c", ExpressionAttributeValues: { ":c": S("c2") },
  }));
  assert.deepEqual(pages.map((page) => page.Count), [10, 10, 5]);
  assert.deepEqual(pages.flatMap((page) => ordersOf(page.Items)), upTo25.map(number));
});

await step("query-backwards", async () => {
  const answer = await send(new QueryCommand({
    TableName, KeyConditionExpression: "customer = :c AND #o > :o", Limit: 2, ScanIndexForward: false,
    ExpressionAttributeNames: { "#o": "order" }, ExpressionAttributeValues: { ":c": S("c2"), ":o": S("0010") },
  }));
  assert.deepEqual(ordersOf(answer.Items), ["0025", "0024"]);
  assert.deepEqual(answer.LastEvaluatedKey, key("c2", "0024"));
});

await step("query-index", async () => {
  const { Items, ConsumedCapacity } = await send(new QueryCommand({
    TableName, IndexName: "byStatus", ReturnConsumedCapacity: "INDEXES",
    KeyConditionExpression: "#s = :s AND #t BETWEEN :a AND :b",
    ExpressionAttributeNames: { "#s": "status", "#t": "total" },
    ExpressionAttributeValues: { ":s": S("DONE"), ":a": N(5), ":b": N(9) },
  }));
  assert.deepEqual(totalsOf(Items), [5, 7, 9]);
  assert.equal(ConsumedCapacity.GlobalSecondaryIndexes.byStatus.CapacityUnits, 0.5);
  assert.equal(ConsumedCapacity.Table.CapacityUnits, 0);
});

await step("query-local-index", async () => {
  const { Items } = await send(new QueryCommand({
    TableName, IndexName: "byTotal", ConsistentRead: true, KeyConditionExpression: "customer = :c AND #t > :t",
    ExpressionAttributeNames: { "#t": "total" }, ExpressionAttributeValues: { ":c": S("c2"), ":t": N(23) },
  }));
  assert.deepEqual(totalsOf(Items), [24, 25]);
});

await step("query-count", async () => {
  const { Count, ScannedCount } = await send(new QueryCommand({
    TableName, Select: "COUNT", KeyConditionExpression: "customer = :c", FilterExpression: "#s = :s",
    ExpressionAttributeNames: { "#s": "status" }, ExpressionAttributeValues: { ":c": S("c2"), ":s": S("DONE") },
  }));
  assert.deepEqual([Count, ScannedCount], [13, 25]);
});

await step("scan-pages", async () => {
  const pages = await pagesOf(paginateScan({ client, pageSize: 10 }, { TableName }));
  assert.deepEqual(pages.map((page) => page.Count).filter(Boolean), [10, 10, 6]);
});

await step("scan-segments", async () => {
  const answers = await Promise.all([0, 1].map((Segment) => send(new ScanCommand({ TableName, Segment, TotalSegments: 2 }))));
  const found = answers.flatMap(({ Items }) => Items.map((item) => `${item.customer.S}/${item.order.S}`));
  assert.deepEqual([found.length, new Set(found).size], [26, 26]);
});

const transaction = (total) => ({
  ClientRequestToken: "tour-1",
  TransactItems: [
    { Put: { TableName, Item: order("c3", "0001", total) } },
    { Update: {
      TableName, Key: key("c2", "0001"), UpdateExpression: "SET #t = :t",
      ExpressionAttributeNames: { "#t": "total" }, ExpressionAttributeValues: { ":t": N(100) },
    } },
    { Delete: { TableName, Key: key("c2", "0025") } },
    { ConditionCheck: { TableName, Key: key("c1", "0001"), ConditionExpression: "attribute_exists(customer)" } },
  ],
});

await step("transact-write", async () => {
  const answer = await send(new TransactWriteItemsCommand({ ...transaction(7), ReturnConsumedCapacity: "TOTAL" }));
  assert.equal(answer.ConsumedCapacity[0].TableName, TableName);
  assert.deepEqual((await get(key("c3", "0001"))).total, N(7));
  assert.equal(await get(key("c2", "0025")), undefined);
});

await step("transact-write-again", async () => {
  const answer = await send(new TransactWriteItemsCommand({ ...transaction(7), ReturnConsumedCapacity: "TOTAL" }));
  assert.ok(answer.ConsumedCapacity[0].ReadCapacityUnits > 0);
  await refused(IdempotentParameterMismatchException, new TransactWriteItemsCommand(transaction(8)));
  assert.deepEqual((await get(key("c3", "0001"))).total, N(7));
});

await step("transact-cancelled", async () => {
  const put = (Item) => ({ Put: {
    TableName, Item, ConditionExpression: "attribute_not_exists(customer)", ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  } });
  const error = await refused(TransactionCanceledException, new TransactWriteItemsCommand({
    TransactItems: [put(order("c3", "0002", 1)), put(order("c3", "0001", 1))],
  }));
  const [none, failure] = error.CancellationReasons;
  assert.deepEqual([none.Code, failure.Code], ["None", "ConditionalCheckFailed"]);
  assert.equal(failure.Message, "The conditional request failed");
  assert.deepEqual(failure.Item.total, N(7));
});

await step("transact-get", async () => {
  const { Responses } = await send(new TransactGetItemsCommand({
    TransactItems: [["c3", "0001"], ["c2", "0001"], ["c2", "0025"]].map((names) => ({ Get: { TableName, Key: key(...names) } })),
  }));
  assert.deepEqual(Responses.map((response) => response.Item?.total), [N(7), N(100), undefined]);
});

await step("delete-item", async () => {
  const answer = await send(new DeleteItemCommand({
    TableName, Key: key("c3", "0001"), ReturnValues: "ALL_OLD", ReturnItemCollectionMetrics: "SIZE",
  }));
  assert.deepEqual(answer.Attributes.total, N(7));
  assert.deepEqual(answer.ItemCollectionMetrics.ItemCollectionKey, { customer: S("c3") });
  assert.equal(answer.ItemCollectionMetrics.SizeEstimateRangeGB.length, 2);
});

const statement = (Statement, ...Parameters) => send(new ExecuteStatementCommand({ Statement, Parameters }));

await step("partiql", async () => {
  await statement(`INSERT INTO "Orders" VALUE {'customer': ?, 'order': ?, 'total': ?}`, S("c4"), S("0001"), N(1));
  const sizes = [];
  let NextToken;
  do {
    const page = await send(new ExecuteStatementCommand({
      Statement: `SELECT * FROM "Orders" WHERE customer = ?`, Parameters: [S("c2")], Limit: 10, NextToken,
    }));
    sizes.push(page.Items.length);
    NextToken = page.NextToken;
  } while (NextToken);
  assert.deepEqual(sizes, [10, 10, 4]);
  const { Items } = await statement(
    `UPDATE "Orders" SET note = ? WHERE customer = ? AND "order" = ? RETURNING ALL NEW *`, S("fragile"), S("c4"), S("0001"));
  assert.deepEqual(Items, [{ ...order("c4", "0001", 1), note: S("fragile") }]);
});

await step("partiql-duplicate", async () => {
  const error = await refused(DuplicateItemException, new ExecuteStatementCommand({
    Statement: `INSERT INTO "Orders" VALUE {'customer': 'c4', 'order': '0001'}`,
  }));
  assert.ok(error.message);
});

await step("partiql-batch", async () => {
  const one = (table) => ({ Statement: `SELECT * FROM "${table}" WHERE customer = 'c4' AND "order" = '0001'` });
  const { Responses } = await send(new BatchExecuteStatementCommand({ Statements: [one("Orders"), one("Nowhere")] }));
  assert.deepEqual(Responses[0].Item.note, S("fragile"));
  assert.equal(Responses[1].Error.Code, "ResourceNotFound");
});

await step("partiql-transaction", async () => {
  const setNote = (customer, more = "") => ({
    Statement: `UPDATE "Orders" SET note = 'x' WHERE customer = '${customer}' AND "order" = '0001'${more}`,
  });
  await send(new ExecuteTransactionCommand({ TransactStatements: [setNote("c1"), setNote("c4")] }));
  const error = await refused(TransactionCanceledException, new ExecuteTransactionCommand({
    TransactStatements: [setNote("c1", " AND note = 'y'"), setNote("c4")],
  }));
  assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), ["ConditionalCheckFailed", "None"]);
});

await step("update-table", async () => {
  const { TableDescription } = await send(new UpdateTableCommand({
    TableName, AttributeDefinitions: [attribute("note", "S")],
    GlobalSecondaryIndexUpdates: [
      { Create: { IndexName: "byNote", KeySchema: keys("note"), Projection: { ProjectionType: "ALL" } } },
    ],
  }));
  assert.equal(TableDescription.TableStatus, "UPDATING");
  let indexes;
  do {
    indexes = (await describe(TableName)).GlobalSecondaryIndexes;
  } while (indexes.some((index) => index.IndexStatus !== "ACTIVE"));
  assert.deepEqual(indexes.map((index) => index.IndexName).sort(), ["byNote", "byStatus"]);
  const { Count } = await send(new QueryCommand({
    TableName, IndexName: "byNote", KeyConditionExpression: "note = :n", ExpressionAttributeValues: { ":n": S("x") },
  }));
  assert.equal(Count, 2);
});

await step("update-capacity", async () => {
  for (const units of [6, 4]) {
    const { TableDescription } = await send(new UpdateTableCommand({
      TableName: "Audit", ProvisionedThroughput: { ReadCapacityUnits: units, WriteCapacityUnits: units },
    }));
    assert.equal(TableDescription.TableStatus, "UPDATING");
    await waitUntilTableExists(waiting, { TableName: "Audit" });
    const { ReadCapacityUnits, WriteCapacityUnits } = (await describe("Audit")).ProvisionedThroughput;
    assert.deepEqual([ReadCapacityUnits, WriteCapacityUnits], [units, units]);
  }
});

await step("deletion-protection", async () => {
  const error = await refused(DynamoDBServiceException, new DeleteTableCommand({ TableName }));
  assert.equal(error.name, "ValidationException");
  const answer = await send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  assert.equal(answer.TableDescription.DeletionProtectionEnabled, false);
});

await step("tags", async () => {
  const tags = async () => (await send(new ListTagsOfResourceCommand({ ResourceArn: arn }))).Tags;
  await send(new TagResourceCommand({ ResourceArn: arn, Tags: [{ Key: "owner", Value: "me" }] }));
  assert.deepEqual(Object.fromEntries((await tags()).map((tag) => [tag.Key, tag.Value])), { stage: "tour", owner: "me" });
  await send(new UntagResourceCommand({ ResourceArn: arn, TagKeys: ["stage"] }));
  assert.deepEqual(await tags(), [{ Key: "owner", Value: "me" }]);
});

await step("time-to-live", async () => {
  const TimeToLiveSpecification = { Enabled: true, AttributeName: "expires" };
  const answer = await send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  assert.deepEqual(answer.TimeToLiveSpecification, TimeToLiveSpecification);
  const { TimeToLiveDescription } = await send(new DescribeTimeToLiveCommand({ TableName }));
  assert.equal(TimeToLiveDescription.AttributeName, "expires");
  assert.match(TimeToLiveDescription.TimeToLiveStatus, /^(ENABLING|ENABLED)$/);
});

await step("contributor-insights", async () => {
  const answer = await send(new UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: "ENABLE" }));
  assert.match(answer.ContributorInsightsStatus, /^(ENABLING|ENABLED)$/);
  const shown = await send(new DescribeContributorInsightsCommand({ TableName }));
  assert.match(shown.ContributorInsightsStatus, /^(ENABLING|ENABLED)$/);
  assert.ok(shown.ContributorInsightsRuleList.length > 0);
  const pages = await pagesOf(paginateListContributorInsights({ client }, {}));
  assert.ok(pages.flatMap((page) => page.ContributorInsightsSummaries).some((one) => one.TableName === TableName));
});

await step("resource-policy", async () => {
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement: [
    { Effect: "Allow", Principal: { AWS: "000000000000" }, Action: "dynamodb:GetItem", Resource: arn },
  ] });
  const { RevisionId } = await send(new PutResourcePolicyCommand({ ResourceArn: arn, Policy }));
  const shown = await send(new GetResourcePolicyCommand({ ResourceArn: arn }));
  assert.deepEqual(JSON.parse(shown.Policy), JSON.parse(Policy));
  assert.equal(shown.RevisionId, RevisionId);
  await refused(PolicyNotFoundException, new PutResourcePolicyCommand({ ResourceArn: arn, Policy, ExpectedRevisionId: "1" }));
  const gone = await send(new DeleteResourcePolicyCommand({ ResourceArn: arn, ExpectedRevisionId: RevisionId }));
  assert.equal(gone.RevisionId, RevisionId);
  await refused(PolicyNotFoundException, new GetResourcePolicyCommand({ ResourceArn: arn }));
});

await step("streams", async () => {
  const { Streams: [{ StreamArn }] } = await streams.send(new ListStreamsCommand({ TableName }));
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  assert.deepEqual([StreamDescription.StreamStatus, StreamDescription.StreamViewType], ["ENABLED", "NEW_AND_OLD_IMAGES"]);
  const changes = [];
  for (const { ShardId } of StreamDescription.Shards) {
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" }));
    const { Records } = await streams.send(new GetRecordsCommand({ ShardIterator }));
    changes.push(...Records.filter(({ dynamodb: { Keys } }) => Keys.customer.S === "c1" && Keys.order.S === "0001"));
  }
  const lines = changes.slice(0, 3).map(({ eventName, dynamodb }) =>
    [eventName, dynamodb.OldImage?.total.N, dynamodb.NewImage?.total.N]);
  assert.deepEqual(lines, [["INSERT", undefined, "12.5"], ["MODIFY", "12.5", "20"], ["MODIFY", "20", "25"]]);
});

await step("crc32", async () => {
  assert.ok(answersChecked > 0);
  assert.equal(await get(key("damaged", "once")), undefined);
});

await step("delete-table", async () => {
  for (const name of [TableName, "Audit"]) {
    const answer = await send(new DeleteTableCommand({ TableName: name }));
    assert.equal(answer.TableDescription.TableStatus, "DELETING");
    await waitUntilTableNotExists(waiting, { TableName: name });
  }
  assert.deepEqual((await send(new ListTablesCommand({}))).TableNames, []);
});

process.exit(failed ? 1 : 0);
