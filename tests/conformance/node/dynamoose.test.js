// SPDX-License-Identifier: Apache-2.0
// Dynamoose: it makes and waits for its own table, then documents, queries, batches, transactions.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import dynamoose from "dynamoose";
import { deleteTable } from "./clients.js";

describe("Dynamoose", () => {
  let Song;

  before(async () => {
    dynamoose.aws.ddb.set(new dynamoose.aws.ddb.DynamoDB({})); // the environment says where
    const schema = new dynamoose.Schema(
      {
        artist: { type: String, hashKey: true },
        title: { type: String, rangeKey: true },
        genre: { type: String, index: { name: "byGenre", type: "global", rangeKey: "year" } },
        year: Number,
        plays: { type: Number, default: 0 },
        awards: { type: Set, schema: [String] },
        credits: { type: Array, schema: [String] },
        released: Date,
        meta: { type: Object, schema: { seconds: Number, live: Boolean } },
      },
      { timestamps: false },
    );
    Song = dynamoose.model("Song", schema);
    new dynamoose.Table("DynamooseSongs", [Song], {
      throughput: "ON_DEMAND",
      waitForActive: { enabled: true, check: { timeout: 30000, frequency: 10 } },
    });
    await Song.create({
      artist: "No One", title: "Call", genre: "rock", year: 1999, awards: new Set(["gold"]), credits: ["ann", "bob"],
      released: new Date("1999-05-01T00:00:00Z"), meta: { seconds: 215, live: false },
    });
  });
  after(() => deleteTable("DynamooseSongs"));

  it("gets a document with every type", async () => {
    const song = await Song.get({ artist: "No One", title: "Call" });
    assert.deepEqual(JSON.parse(JSON.stringify({ ...song, awards: [...song.awards] })), {
      artist: "No One", title: "Call", genre: "rock", year: 1999, plays: 0, awards: ["gold"], credits: ["ann", "bob"],
      released: "1999-05-01T00:00:00.000Z", meta: { seconds: 215, live: false },
    });
    assert.equal(await Song.get({ artist: "No One", title: "Absent" }), undefined);
  });

  it("create refuses what exists", async () => {
    await assert.rejects(Song.create({ artist: "No One", title: "Call" }), { name: "ConditionalCheckFailedException" });
  });

  it("updates with SET, ADD and REMOVE", async () => {
    const song = await Song.update(
      { artist: "No One", title: "Call" },
      { $SET: { year: 2000 }, $ADD: { plays: 3, credits: ["cy"] }, $REMOVE: ["released"] },
    );
    assert.deepEqual([song.year, song.plays, song.credits, song.released], [2000, 3, ["ann", "bob", "cy"], undefined]);
  });

  it("updates on a condition", async () => {
    const key = { artist: "No One", title: "Call" };
    const condition = new dynamoose.Condition().where("plays").gt(10);
    await assert.rejects(Song.update(key, { plays: 99 }, { condition }), { name: "ConditionalCheckFailedException" });
  });

  it("puts in batches", async () => {
    const songs = ["A", "B", "C", "D", "E"].map((title, at) => ({ artist: "Many", title, genre: at % 2 ? "jazz" : "rock", year: 1990 + at }));
    const { unprocessedItems } = await Song.batchPut(songs);
    assert.deepEqual(unprocessedItems, []);
    const got = await Song.batchGet([{ artist: "Many", title: "A" }, { artist: "Many", title: "E" }]);
    assert.deepEqual(got.map((song) => song.title).toSorted(), ["A", "E"]);
  });

  it("queries in both directions, with ranges and filters", async () => {
    const titles = async (query) => (await query.exec()).map((song) => song.title);
    assert.deepEqual(await titles(Song.query("artist").eq("Many")), ["A", "B", "C", "D", "E"]);
    assert.deepEqual(await titles(Song.query("artist").eq("Many").where("title").between("B", "D").sort("descending")), ["D", "C", "B"]);
    assert.deepEqual(await titles(Song.query("artist").eq("Many").filter("year").ge(1993)), ["D", "E"]);
    assert.equal((await Song.query("artist").eq("Many").count().exec()).count, 5);
  });

  it("queries an index by number", async () => {
    const songs = await Song.query("genre").eq("rock").where("year").lt(1995).using("byGenre").exec();
    assert.deepEqual(songs.map((song) => song.year), [1990, 1992, 1994]);
  });

  it("pages with lastKey", async () => {
    const titles = [];
    let lastKey;
    do {
      const query = Song.query("artist").eq("Many").limit(2);
      const page = await (lastKey ? query.startAt(lastKey) : query).exec();
      titles.push(...page.map((song) => song.title));
      lastKey = page.lastKey;
    } while (lastKey);
    assert.deepEqual(titles, ["A", "B", "C", "D", "E"]);
  });

  it("scans everything, in parallel too", async () => {
    assert.equal((await Song.scan().all().exec()).length, 6);
    assert.equal((await Song.scan().parallel(3).exec()).length, 6);
  });

  it("writes in transactions, all or nothing", async () => {
    await dynamoose.transaction([
      Song.transaction.create({ artist: "New", title: "One", genre: "folk", year: 2026 }),
      Song.transaction.update({ artist: "Many", title: "A" }, { $ADD: { plays: 7 } }),
      Song.transaction.delete({ artist: "Many", title: "E" }),
    ]);
    const [a, e] = [await Song.get({ artist: "Many", title: "A" }), await Song.get({ artist: "Many", title: "E" })];
    assert.deepEqual([a.plays, e], [7, undefined]);
    await assert.rejects(
      dynamoose.transaction([
        Song.transaction.update({ artist: "Many", title: "A" }, { $ADD: { plays: 7 } }),
        Song.transaction.create({ artist: "New", title: "One" }),
      ]),
      { name: "TransactionCanceledException" },
    );
    assert.equal((await Song.get({ artist: "Many", title: "A" })).plays, 7);
  });

  it("saves and deletes documents", async () => {
    const song = await Song.get({ artist: "New", title: "One" });
    song.year = 2027;
    await song.save();
    assert.equal((await Song.get({ artist: "New", title: "One" })).year, 2027);
    await song.delete();
    assert.equal(await Song.get({ artist: "New", title: "One" }), undefined);
  });
});
