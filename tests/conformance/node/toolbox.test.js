// SPDX-License-Identifier: Apache-2.0
// DynamoDB-Toolbox v2: entities with schemas, conditions, extended updates, queries, transactions.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  $add, $append, $get, BatchGetCommand, BatchGetRequest, BatchPutRequest, BatchWriteCommand, ConditionCheck,
  DeleteItemCommand, DeleteTransaction, Entity, GetItemCommand, GetTransaction, PutItemCommand, PutTransaction,
  QueryCommand, ScanCommand, Table, UpdateItemCommand, UpdateTransaction, any, anyOf, executeBatchGet, executeBatchWrite,
  executeTransactGet, executeTransactWrite, item, list, map, number, set, string,
} from "dynamodb-toolbox";
import { createTable, deleteTable, documents } from "./clients.js";

const Pets = new Table({
  name: "ToolboxPets",
  partitionKey: { name: "pk", type: "string" },
  sortKey: { name: "sk", type: "string" },
  indexes: { bySpecies: { type: "global", partitionKey: { name: "species", type: "string" }, sortKey: { name: "name", type: "string" } } },
  documentClient: documents,
});

const Pet = new Entity({
  name: "Pet",
  table: Pets,
  schema: item({
    owner: string().key().savedAs("pk").transform({ encode: (value) => `OWNER#${value}`, decode: (value) => value.slice(6) }),
    petId: string().key().savedAs("sk"),
    species: string().enum("cat", "dog"),
    name: string(),
    age: number().default(0),
    tags: set(string()).optional(),
    visits: list(map({ on: string(), weight: number() })).default([]),
    note: anyOf(string(), number()).optional(),
    extra: any().optional(),
  }),
  timestamps: false,
});

const tom = { owner: "ann", petId: "p1", species: "cat", name: "Tom", age: 3, tags: new Set(["calm"]) };

describe("DynamoDB-Toolbox", () => {
  before(() => createTable("ToolboxPets", { partition: "pk", sort: "sk", indexes: { bySpecies: { partition: "species", sort: "name" } } }));
  after(() => deleteTable("ToolboxPets"));

  const put = (one, options = {}) => Pet.build(PutItemCommand).item(one).options(options).send();
  const get = async (owner, petId) => (await Pet.build(GetItemCommand).key({ owner, petId }).send()).Item;

  it("puts and gets through a schema", async () => {
    await put({ ...tom, extra: { deep: [1, "two", null, { three: true }] } });
    assert.deepEqual(await get("ann", "p1"), { ...tom, visits: [], extra: { deep: [1, "two", null, { three: true }] } });
  });

  it("puts only if absent", async () => {
    await assert.rejects(put(tom, { condition: { attr: "petId", exists: false } }), { name: "ConditionalCheckFailedException" });
  });

  it("returns the old item of a put", async () => {
    const { Attributes } = await put({ ...tom, age: 4 }, { returnValues: "ALL_OLD" });
    assert.equal(Attributes.age, 3);
  });

  it("updates with extended operations", async () => {
    const { Attributes } = await Pet.build(UpdateItemCommand)
      .item({
        owner: "ann", petId: "p1", age: $add(2), tags: $add(new Set(["old"])),
        visits: $append([{ on: "2026-06-01", weight: 4.25 }]), note: $get("name"),
      })
      .options({ returnValues: "ALL_NEW" })
      .send();
    assert.equal(Attributes.age, 6);
    assert.deepEqual(Attributes.tags, new Set(["calm", "old"]));
    assert.deepEqual(Attributes.visits, [{ on: "2026-06-01", weight: 4.25 }]);
    assert.equal(Attributes.note, "Tom");
  });

  it("writes in batches and queries in both directions", async () => {
    const more = ["p2", "p3", "p4"].map((petId, at) => ({ owner: "ann", petId, species: "dog", name: `Rex${at}`, age: at }));
    const command = Pets.build(BatchWriteCommand).requests(...more.map((one) => Pet.build(BatchPutRequest).item(one)));
    await executeBatchWrite(command);
    const all = await Pets.build(QueryCommand).entities(Pet).query({ partition: "OWNER#ann" }).send();
    assert.deepEqual(all.Items.map((one) => one.petId), ["p1", "p2", "p3", "p4"]);
    const range = await Pets.build(QueryCommand)
      .entities(Pet)
      .query({ partition: "OWNER#ann", range: { between: ["p2", "p3"] } })
      .options({ reverse: true })
      .send();
    assert.deepEqual(range.Items.map((one) => one.petId), ["p3", "p2"]);
  });

  it("queries an index with a filter", async () => {
    const { Items, ScannedCount } = await Pets.build(QueryCommand)
      .entities(Pet)
      .query({ index: "bySpecies", partition: "dog", range: { beginsWith: "Rex" } })
      .options({ filters: { Pet: { attr: "age", ne: 1 } } })
      .send();
    assert.deepEqual(Items.map((one) => one.name), ["Rex0", "Rex2"]);
    assert.equal(ScannedCount, 3);
  });

  it("pages a query", async () => {
    const pages = [];
    let exclusiveStartKey;
    do {
      const page = await Pets.build(QueryCommand)
        .entities(Pet)
        .query({ partition: "OWNER#ann" })
        .options({ limit: 3, exclusiveStartKey })
        .send();
      pages.push(page.Items.map((one) => one.petId));
      exclusiveStartKey = page.LastEvaluatedKey;
    } while (exclusiveStartKey);
    assert.deepEqual(pages.filter((page) => page.length > 0), [["p1", "p2", "p3"], ["p4"]]);
  });

  it("scans in parallel segments", async () => {
    const segments = await Promise.all(
      [0, 1, 2, 3].map((segment) => Pets.build(ScanCommand).entities(Pet).options({ segment, totalSegments: 4 }).send()),
    );
    assert.deepEqual(segments.flatMap(({ Items }) => Items.map((one) => one.petId)).toSorted(), ["p1", "p2", "p3", "p4"]);
  });

  it("writes and reads in transactions", async () => {
    await executeTransactWrite(
      Pet.build(PutTransaction).item({ owner: "bob", petId: "p9", species: "cat", name: "Kit" }),
      Pet.build(UpdateTransaction).item({ owner: "ann", petId: "p2", age: $add(1) }),
      Pet.build(DeleteTransaction).key({ owner: "ann", petId: "p4" }),
      Pet.build(ConditionCheck).key({ owner: "ann", petId: "p1" }).condition({ attr: "species", eq: "cat" }),
    );
    const { Responses } = await executeTransactGet(
      Pet.build(GetTransaction).key({ owner: "bob", petId: "p9" }),
      Pet.build(GetTransaction).key({ owner: "ann", petId: "p2" }),
      Pet.build(GetTransaction).key({ owner: "ann", petId: "p4" }),
    );
    assert.deepEqual(Responses.map(({ Item }) => Item && [Item.name, Item.age]), [["Kit", 0], ["Rex0", 1], undefined]);
  });

  it("cancels a transaction whole", async () => {
    await assert.rejects(
      executeTransactWrite(
        Pet.build(DeleteTransaction).key({ owner: "bob", petId: "p9" }),
        Pet.build(ConditionCheck).key({ owner: "ann", petId: "p1" }).condition({ attr: "species", eq: "dog" }),
      ),
      (error) => {
        assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), ["None", "ConditionalCheckFailed"]);
        return error.name === "TransactionCanceledException";
      },
    );
    assert.equal((await get("bob", "p9")).name, "Kit");
  });

  it("reads in batches and deletes", async () => {
    const command = Pets.build(BatchGetCommand).requests(
      Pet.build(BatchGetRequest).key({ owner: "ann", petId: "p1" }),
      Pet.build(BatchGetRequest).key({ owner: "bob", petId: "p9" }),
    );
    const { Responses } = await executeBatchGet(command);
    assert.deepEqual(Responses[0].map((one) => one.name), ["Tom", "Kit"]);
    const { Attributes } = await Pet.build(DeleteItemCommand)
      .key({ owner: "bob", petId: "p9" })
      .options({ returnValues: "ALL_OLD" })
      .send();
    assert.equal(Attributes.name, "Kit");
    assert.equal(await get("bob", "p9"), undefined);
  });
});
