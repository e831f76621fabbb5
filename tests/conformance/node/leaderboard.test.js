// SPDX-License-Identifier: Apache-2.0
// examples/leaderboard.kw.yaml, designed by hand as one table with two overloaded indexes and asked
// through the document client of the AWS SDK for JavaScript v3. Each question of the model is one
// Query or GetItem. Units follow from sizes that are worked out beside the items.
// Units: aws-doc: "DynamoDB item sizes and formats", "Read consistency and capacity units".
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { GetCommand, PutCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { createTable, deleteTable, documents, unitsByPlace } from "./clients.js";

const TableName = "Leaderboard";

function player({ playerId, handle, season, rating, createdAt = "2026-01-05T09:00:00Z", seasonSort }) {
  return {
    pk: `PLAYER#${playerId}`,
    sk: "PROFILE",
    seasonPartition: `SEASON#${season}`,
    seasonSort: seasonSort ?? `RATING#${String(rating).padStart(5, "0")}`,
    handlePartition: `HANDLE#${handle}`,
    playerId,
    handle,
    region: "eu",
    season,
    rating,
    createdAt,
  };
}

function match({ playerId, playedAt, result, ratingDelta }) {
  return { pk: `PLAYER#${playerId}`, sk: `MATCH#${playedAt}`, playerId, playedAt, result, ratingDelta, mapId: "map07" };
}

// 192 bytes, name + value of each attribute:
// pk 2+12, sk 2+7, seasonPartition 15+14, seasonSort 10+12, handlePartition 15+16, playerId 8+5,
// handle 6+9, region 6+2, season 6+7, rating 6+3 (1842: two pairs of digits + 1), createdAt 9+20
const nighthawk = player({ playerId: "u8231", handle: "nighthawk", season: "2026-Q2", rating: 1842 });
const dusk = player({ playerId: "u1002", handle: "dusk", season: "2026-Q2", rating: 1000 });
const dawn = player({ playerId: "u1001", handle: "dawn", season: "2026-Q2", rating: 9 });
const earlier = player({ playerId: "u1003", handle: "ember", season: "2026-Q1", rating: 2100 });
// Keys that are a prefix of the ones asked for must never show up in an answer.
const neighbour = player({ playerId: "u823", handle: "night", season: "2026-Q", rating: 1843 });

// Sixty matches, one a day: 30 wins of 115 bytes and 30 losses of 117, together 6,960 bytes.
// pk 2+12, sk 2+26, playerId 8+5, playedAt 8+20, result 6+3 or 6+4, ratingDelta 11+2 or 11+3 (the
// sign costs one), mapId 5+5
const matches = Array.from({ length: 60 }, (_, day) =>
  match({
    playerId: "u8231",
    playedAt: new Date(Date.UTC(2026, 3, 24 + day, 14)).toISOString().replace(".000", ""),
    result: day % 2 === 0 ? "win" : "loss",
    ratingDelta: day % 2 === 0 ? 25 : -25,
  }),
);

async function put(Item) {
  const { ConsumedCapacity } = await documents.send(new PutCommand({ TableName, Item, ReturnConsumedCapacity: "INDEXES" }));
  return unitsByPlace(ConsumedCapacity);
}

async function query(input) {
  return documents.send(new QueryCommand({ TableName, ReturnConsumedCapacity: "TOTAL", ...input }));
}

function seasonTop(season, limit = 100) {
  return query({
    IndexName: "bySeason",
    KeyConditionExpression: "seasonPartition = :season",
    ExpressionAttributeValues: { ":season": `SEASON#${season}` },
    ScanIndexForward: false,
    Limit: limit,
  });
}

describe("leaderboard", () => {
  before(async () => {
    await createTable(TableName, {
      partition: "pk",
      sort: "sk",
      indexes: {
        bySeason: { partition: "seasonPartition", sort: "seasonSort" },
        byHandle: { partition: "handlePartition", project: ["playerId"] },
      },
    });
    for (const item of [dusk, dawn, earlier, neighbour, ...matches]) await put(item);
    await put(match({ playerId: "u823", playedAt: "2026-06-30T14:00:00Z", result: "win", ratingDelta: 1 }));
  });
  after(() => deleteTable(TableName));

  it("sign-up costs the table and each index one unit", async () => {
    // 192 bytes are one step of 1 KB, and each new index entry is one more.
    assert.deepEqual(await put(nighthawk), { table: 1, bySeason: 1, byHandle: 1 });
  });

  it("a match has no index key and costs the table alone", async () => {
    assert.deepEqual(await put(matches[0]), { table: 1 });
  });

  it("profile is one GetItem", async () => {
    const key = { TableName, Key: { pk: "PLAYER#u8231", sk: "PROFILE" }, ReturnConsumedCapacity: "TOTAL" };
    const eventual = await documents.send(new GetCommand(key));
    assert.deepEqual(eventual.Item, nighthawk);
    assert.equal(eventual.ConsumedCapacity.CapacityUnits, 0.5);
    const strong = await documents.send(new GetCommand({ ...key, ConsistentRead: true }));
    assert.equal(strong.ConsumedCapacity.CapacityUnits, 1);
  });

  it("recent-matches is one Query, newest first", async () => {
    const answer = await query({
      KeyConditionExpression: "pk = :player AND begins_with(sk, :match)",
      ExpressionAttributeValues: { ":player": "PLAYER#u8231", ":match": "MATCH#" },
      ScanIndexForward: false,
      Limit: 20,
    });
    assert.deepEqual(answer.Items, matches.slice(-20).reverse());
    assert.equal(answer.ConsumedCapacity.CapacityUnits, 0.5); // 10 × 115 + 10 × 117 = 2,320 bytes: one step
    assert.deepEqual(answer.LastEvaluatedKey, { pk: "PLAYER#u8231", sk: matches[40].sk });
  });

  it("recent-matches goes on where the last page ended", async () => {
    const pages = [];
    let ExclusiveStartKey;
    do {
      const answer = await query({
        KeyConditionExpression: "pk = :player AND begins_with(sk, :match)",
        ExpressionAttributeValues: { ":player": "PLAYER#u8231", ":match": "MATCH#" },
        ScanIndexForward: false,
        Limit: 25,
        ExclusiveStartKey,
      });
      pages.push(answer.Items);
      ExclusiveStartKey = answer.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    assert.deepEqual(pages.map((page) => page.length), [25, 25, 10]);
    assert.deepEqual(pages.flat(), matches.toReversed());
  });

  it("player-page is one Query over the whole collection", async () => {
    const page = { KeyConditionExpression: "pk = :player", ExpressionAttributeValues: { ":player": "PLAYER#u8231" } };
    const eventual = await query(page);
    assert.deepEqual(eventual.Items, [...matches, nighthawk]);
    assert.equal(eventual.ConsumedCapacity.CapacityUnits, 1); // 6,960 + 192 = 7,152 bytes: two steps, half price
    assert.equal((await query({ ...page, ConsistentRead: true })).ConsumedCapacity.CapacityUnits, 2);
  });

  it("season-top is one Query of bySeason, best first", async () => {
    const answer = await seasonTop("2026-Q2");
    assert.deepEqual(answer.Items, [nighthawk, dusk, dawn]);
    assert.equal(answer.ConsumedCapacity.CapacityUnits, 0.5); // three entries under 200 bytes
    assert.deepEqual((await seasonTop("2026-Q2", 1)).LastEvaluatedKey, {
      pk: "PLAYER#u8231", sk: "PROFILE", seasonPartition: "SEASON#2026-Q2", seasonSort: "RATING#01842",
    });
  });

  it("by-handle is one Query of byHandle", async () => {
    const answer = await query({
      IndexName: "byHandle",
      KeyConditionExpression: "handlePartition = :handle",
      ExpressionAttributeValues: { ":handle": "HANDLE#nighthawk" },
      ProjectionExpression: "playerId",
    });
    assert.deepEqual(answer.Items, [{ playerId: "u8231" }]);
    assert.equal(answer.ConsumedCapacity.CapacityUnits, 0.5);
  });

  it("byHandle holds keys and playerId only", async () => {
    const { Items } = await query({
      IndexName: "byHandle",
      KeyConditionExpression: "handlePartition = :handle",
      ExpressionAttributeValues: { ":handle": "HANDLE#dusk" },
    });
    assert.deepEqual(Items, [{ pk: "PLAYER#u1002", sk: "PROFILE", handlePartition: "HANDLE#dusk", playerId: "u1002" }]);
  });

  it("an index refuses a strong read", async () => {
    // aws-doc: Query, ConsistentRead: "If you query a global secondary index with ConsistentRead set to
    // true, you will receive a ValidationException."
    await assert.rejects(
      query({
        IndexName: "bySeason",
        KeyConditionExpression: "seasonPartition = :season",
        ExpressionAttributeValues: { ":season": "SEASON#2026-Q2" },
        ConsistentRead: true,
      }),
      { name: "ValidationException" },
    );
  });

  it("finish-match moves the player up in one transaction of six units", async () => {
    const played = match({ playerId: "u1001", playedAt: "2026-06-23T14:00:00Z", result: "win", ratingDelta: 25 });
    const { ConsumedCapacity } = await documents.send(
      new TransactWriteCommand({
        ReturnConsumedCapacity: "INDEXES",
        TransactItems: [
          { Put: { TableName, Item: played, ConditionExpression: "attribute_not_exists(pk)" } },
          {
            Update: {
              TableName,
              Key: { pk: "PLAYER#u1001", sk: "PROFILE" },
              UpdateExpression: "SET rating = :rating, seasonSort = :sort",
              ConditionExpression: "attribute_exists(pk)",
              ExpressionAttributeValues: { ":rating": 1900, ":sort": "RATING#01900" },
            },
          },
        ],
      }),
    );
    // Two items of under 1 KB, each twice 1 in a transaction: 4. The entry of bySeason changes its key:
    // a delete and a put, 2, which a transaction does not double. byHandle sees nothing change.
    assert.deepEqual(ConsumedCapacity.map(unitsByPlace), [{ table: 4, bySeason: 2 }]);
    const moved = { ...dawn, rating: 1900, seasonSort: "RATING#01900" };
    assert.deepEqual((await seasonTop("2026-Q2")).Items, [moved, nighthawk, dusk]);
  });

  it("finish-match changes nothing when the match was already there", async () => {
    const again = new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName, Item: matches[0], ConditionExpression: "attribute_not_exists(pk)" } },
        {
          Update: {
            TableName,
            Key: { pk: "PLAYER#u1002", sk: "PROFILE" },
            UpdateExpression: "SET rating = :rating",
            ExpressionAttributeValues: { ":rating": 5000 },
          },
        },
      ],
    });
    await assert.rejects(documents.send(again), (error) => {
      assert.equal(error.name, "TransactionCanceledException");
      assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), ["ConditionalCheckFailed", "None"]);
      return true;
    });
    const { Item } = await documents.send(new GetCommand({ TableName, Key: { pk: "PLAYER#u1002", sk: "PROFILE" } }));
    assert.deepEqual(Item, dusk);
  });

  for (const attribute of ["pk", "sk"]) {
    it(`${attribute} cannot be updated`, async () => {
      await assert.rejects(
        documents.send(
          new UpdateCommand({
            TableName,
            Key: { pk: "PLAYER#u1002", sk: "PROFILE" },
            UpdateExpression: `SET ${attribute} = :value`,
            ExpressionAttributeValues: { ":value": "elsewhere" },
          }),
        ),
        {
          name: "ValidationException",
          // observed: quoted in public issues of AWS's SDKs
          message: `One or more parameter values were invalid: Cannot update attribute ${attribute}. This attribute is part of the key`,
        },
      );
    });
  }

  it("an item moves to another key by a delete and a put in one transaction", async () => {
    const renamed = { ...earlier, pk: "PLAYER#u2003", playerId: "u2003" };
    await documents.send(
      new TransactWriteCommand({
        TransactItems: [
          { Delete: { TableName, Key: { pk: earlier.pk, sk: earlier.sk }, ConditionExpression: "attribute_exists(pk)" } },
          { Put: { TableName, Item: renamed, ConditionExpression: "attribute_not_exists(pk)" } },
        ],
      }),
    );
    const gone = await documents.send(new GetCommand({ TableName, Key: { pk: earlier.pk, sk: earlier.sk } }));
    assert.equal(gone.Item, undefined);
    assert.deepEqual((await seasonTop("2026-Q1")).Items, [renamed]);
  });

  it("an unpadded rating sorts as text, the padded one as a number", async () => {
    const ratings = [9, 1000, 150];
    for (const rating of ratings) {
      await put(player({ playerId: `raw${rating}`, handle: `raw${rating}`, season: "raw", rating, seasonSort: `RATING#${rating}` }));
      await put(player({ playerId: `pad${rating}`, handle: `pad${rating}`, season: "padded", rating }));
    }
    const order = async (season) => (await seasonTop(season)).Items.map((item) => item.rating);
    assert.deepEqual(await order("raw"), [9, 150, 1000]); // wrong: "9" comes after "1000"
    assert.deepEqual(await order("padded"), [1000, 150, 9]);
  });
});
