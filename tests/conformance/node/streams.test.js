// SPDX-License-Identifier: Apache-2.0
// A consumer follows a table's stream while writers are at work, shards split, the server is killed
// and started again, and the consumer itself begins anew from its checkpoints: each change must come
// once, each item's changes in order.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateTableCommand, DynamoDBClient, PutItemCommand, UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand, DynamoDBStreamsClient, GetRecordsCommand, GetShardIteratorCommand,
} from "@aws-sdk/client-dynamodb-streams";
import { startServer } from "./server.js";

const TableName = "Followed";
const WRITERS = 6;
const ROUNDS = 3; // each ends with a killed server
const ROUND_MS = 2500;
const DRAIN_MS = 60_000;

// Reads every shard, parents before their children; `checkpoints` is all that outlives it.
class Consumer {
  constructor(client, StreamArn, checkpoints, onRecord) {
    Object.assign(this, { client, StreamArn, checkpoints, onRecord });
    this.iterators = new Map();
  }

  async shards() {
    const shards = [];
    let ExclusiveStartShardId;
    do {
      const { StreamDescription } = await this.client.send(
        new DescribeStreamCommand({ StreamArn: this.StreamArn, ExclusiveStartShardId, Limit: 3 }),
      );
      shards.push(...StreamDescription.Shards);
      ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
    } while (ExclusiveStartShardId);
    return shards;
  }

  async iterator(ShardId) {
    const SequenceNumber = this.checkpoints.positions.get(ShardId);
    const { ShardIterator } = await this.client.send(
      new GetShardIteratorCommand({
        StreamArn: this.StreamArn, ShardId,
        ...(SequenceNumber
          ? { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber }
          : { ShardIteratorType: "TRIM_HORIZON" }),
      }),
    );
    return ShardIterator;
  }

  // One look at every shard that may be read now.
  async poll() {
    const { finished, positions } = this.checkpoints;
    const shards = await this.shards();
    const known = new Set(shards.map(({ ShardId }) => ShardId));
    for (const { ShardId, ParentShardId } of shards) {
      if (finished.has(ShardId) || (known.has(ParentShardId) && !finished.has(ParentShardId))) continue;
      const ShardIterator = this.iterators.get(ShardId) ?? (await this.iterator(ShardId));
      const { Records, NextShardIterator } = await this.client.send(new GetRecordsCommand({ ShardIterator, Limit: 100 }));
      for (const record of Records) {
        this.onRecord(record);
        positions.set(ShardId, record.dynamodb.SequenceNumber);
      }
      if (NextShardIterator) this.iterators.set(ShardId, NextShardIterator);
      else finished.add(ShardId);
    }
  }
}

describe("streams", () => {
  it("are followed without a gap or a repetition", async () => {
    const folder = await mkdtemp(join(tmpdir(), "kw_streams_"));
    const start = () => startServer("--data", join(folder, "data"), "--stream-shard-records", "150");
    let server = await start();
    const options = () => ({ endpoint: server.endpoint, maxAttempts: 1, requestHandler: { requestTimeout: 5000 } });
    let clients = [];
    const connect = () => {
      clients = [new DynamoDBClient(options()), new DynamoDBStreamsClient(options())];
    };
    try {
      connect();
      const { TableDescription } = await clients[0].send(
        new CreateTableCommand({
          TableName, BillingMode: "PAY_PER_REQUEST",
          AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
          KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
          StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
        }),
      );
      const StreamArn = TableDescription.LatestStreamArn;

      let writing = true;
      const written = new Map();
      // Until it is acknowledged a value is put again: an equal item leaves no second record.
      const writer = async (id) => {
        for (let n = 1; writing; ++n) {
          for (let done = false; !done;) {
            try {
              await clients[0].send(new PutItemCommand({ TableName, Item: { id: { S: id }, n: { N: `${n}` } } }));
              done = true;
            } catch {
              await sleep(20);
            }
          }
          written.set(id, n);
        }
      };

      const checkpoints = { positions: new Map(), finished: new Set() };
      const seen = new Map();
      const removed = [];
      const events = new Set();
      const onRecord = (record) => {
        assert.ok(!events.has(record.eventID), `event ${record.eventID} came twice`);
        events.add(record.eventID);
        if (record.eventName === "REMOVE") return removed.push(record);
        const { id, n } = record.dynamodb.NewImage;
        const before = Number(record.dynamodb.OldImage?.n.N ?? 0);
        assert.equal(record.eventName, before === 0 ? "INSERT" : "MODIFY");
        assert.equal(before, Number(n.N) - 1);
        assert.equal(Number(n.N), (seen.get(id.S) ?? 0) + 1, `${id.S} is out of order`);
        seen.set(id.S, Number(n.N));
      };
      let following = true;
      const follow = async () => {
        let consumer;
        for (let polls = 0; following; ++polls) {
          // Now and then it begins anew, as after a crash of its own.
          if (polls % 15 === 0) consumer = undefined;
          consumer ??= new Consumer(clients[1], StreamArn, checkpoints, onRecord);
          try {
            await consumer.poll();
          } catch (error) {
            if (error instanceof assert.AssertionError) throw error;
            consumer = undefined;
            await sleep(20);
          }
        }
      };

      const writers = Array.from({ length: WRITERS }, (_, i) => writer(`item${i}`));
      const follower = follow();
      for (let round = 0; round < ROUNDS; ++round) {
        await Promise.race([sleep(ROUND_MS), follower]);
        await server.kill();
        server = await start();
        connect();
      }
      await Promise.race([sleep(ROUND_MS), follower]);
      writing = false;
      await Promise.all(writers);

      // What expires is removed by the service, and its record says so.
      await clients[0].send(
        new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: "ttl" } }),
      );
      const ttl = { N: `${Math.floor(Date.now() / 1000) - 5}` };
      await clients[0].send(new PutItemCommand({ TableName, Item: { id: { S: "brief" }, n: { N: "1" }, ttl } }));
      written.set("brief", 1);

      const complete = () => removed.length > 0 && [...written].every(([id, n]) => seen.get(id) === n);
      const deadline = Date.now() + DRAIN_MS;
      while (!complete() && Date.now() < deadline) await Promise.race([sleep(50), follower]);
      following = false;
      await follower;

      assert.deepEqual(Object.fromEntries(seen), Object.fromEntries(written));
      assert.equal(removed.length, 1);
      assert.deepEqual(removed[0].userIdentity, { PrincipalId: "dynamodb.amazonaws.com", Type: "Service" });
      assert.equal(removed[0].dynamodb.OldImage.id.S, "brief");
      const total = [...written.values()].reduce((sum, n) => sum + n, 0);
      assert.ok(checkpoints.finished.size >= 2, "no shard was split");
      console.log(`${total} changes over ${checkpoints.positions.size} shards, ${ROUNDS} kills`);
    } finally {
      await server.kill();
      await rm(folder, { recursive: true });
    }
  });
});
