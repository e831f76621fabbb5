// SPDX-License-Identifier: Apache-2.0
// OneTable: it makes its own table from a schema, then templates, unique attributes, transactions.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Table } from "dynamodb-onetable";
import { client } from "./clients.js";

const schema = {
  format: "onetable:1.1.0",
  version: "0.0.1",
  indexes: {
    primary: { hash: "pk", sort: "sk" },
    gs1: { hash: "gs1pk", sort: "gs1sk", project: "all" },
    ls1: { type: "local", sort: "balance", project: ["name"] },
  },
  models: {
    Account: {
      pk: { type: String, value: "account#${id}" },
      sk: { type: String, value: "account#" },
      id: { type: String, generate: "ulid" },
      name: { type: String, required: true, unique: true },
      balance: { type: Number, default: 0 },
      address: { type: Object, default: {}, schema: { street: { type: String }, zip: { type: String } } },
      gs1pk: { type: String, value: "account#" },
      gs1sk: { type: String, value: "account#${name}" },
    },
    User: {
      pk: { type: String, value: "account#${accountId}" },
      sk: { type: String, value: "user#${email}" },
      accountId: { type: String, required: true },
      email: { type: String, required: true },
      role: { type: String, enum: ["user", "admin"], default: "user" },
      joined: { type: Date },
      tags: { type: Set },
    },
  },
  params: { isoDates: true, timestamps: false },
};

describe("OneTable", () => {
  const table = new Table({ client, name: "OneTableApp", schema, partial: true });
  const Account = table.getModel("Account");
  const User = table.getModel("User");
  let acme;

  before(async () => {
    await table.createTable();
    for (let tries = 0; (await table.describeTable()).Table.TableStatus !== "ACTIVE"; ++tries) assert.ok(tries < 600);
  });
  after(() => table.deleteTable("DeleteTableForever"));

  it("knows that its table exists", async () => {
    assert.equal(await table.exists(), true);
    assert.ok((await table.listTables()).includes("OneTableApp"));
  });

  it("creates with a unique attribute in a transaction", async () => {
    acme = await Account.create({ name: "Acme", balance: 100, address: { street: "1 Main", zip: "10115" } });
    const read = await Account.get({ id: acme.id });
    assert.deepEqual({ name: read.name, balance: read.balance, address: read.address },
      { name: "Acme", balance: 100, address: { street: "1 Main", zip: "10115" } });
    await assert.rejects(Account.create({ name: "Acme" }), { code: "UniqueError" });
  });

  it("finds by prefix, in order, with dates and sets", async () => {
    for (const email of ["c@x.org", "a@x.org", "b@x.org"]) {
      await User.create({ accountId: acme.id, email, joined: new Date("2026-06-01T00:00:00Z"), tags: new Set(["new"]) });
    }
    const users = await User.find({ accountId: acme.id });
    assert.deepEqual(users.map((one) => one.email), ["a@x.org", "b@x.org", "c@x.org"]);
    assert.deepEqual(users[0].joined, new Date("2026-06-01T00:00:00Z"));
    assert.deepEqual([...users[0].tags], ["new"]);
  });

  it("pages with next", async () => {
    const emails = [];
    let next;
    do {
      const page = await User.find({ accountId: acme.id }, { limit: 2, next });
      emails.push(...page.map((one) => one.email));
      next = page.next;
    } while (next);
    assert.deepEqual(emails, ["a@x.org", "b@x.org", "c@x.org"]);
  });

  it("finds through an index", async () => {
    await Account.create({ name: "Zebra" });
    const found = await Account.find({ gs1pk: "account#", gs1sk: { begins: "account#A" } }, { index: "gs1" });
    assert.deepEqual(found.map((one) => one.name), ["Acme"]);
  });

  it("updates with expressions", async () => {
    const updated = await Account.update(
      { id: acme.id, balance: 150 },
      { set: { "address.zip": "10117" }, where: "${balance} = {100}", return: "ALL_NEW" },
    );
    assert.equal(updated.balance, 150);
    assert.deepEqual(updated.address, { street: "1 Main", zip: "10117" });
    const added = await Account.update({ id: acme.id }, { add: { balance: -25 } });
    assert.equal(added.balance, 125);
    await assert.rejects(Account.update({ id: acme.id, balance: 0 }, { where: "${balance} > {1000}", throw: true }));
  });

  it("filters with where", async () => {
    await User.update({ accountId: acme.id, email: "b@x.org", role: "admin" });
    const admins = await User.find({ accountId: acme.id }, { where: "${role} = {admin}" });
    assert.deepEqual(admins.map((one) => one.email), ["b@x.org"]);
  });

  it("writes and reads in transactions", async () => {
    const transaction = {};
    await User.create({ accountId: acme.id, email: "d@x.org" }, { transaction });
    await Account.update({ id: acme.id }, { add: { balance: 75 }, transaction });
    await table.transact("write", transaction);
    const reading = {};
    await Account.get({ id: acme.id }, { transaction: reading });
    await User.get({ accountId: acme.id, email: "d@x.org" }, { transaction: reading });
    const [account, user] = await table.transact("get", reading, { parse: true, hidden: false });
    assert.deepEqual([account.balance, user.email], [200, "d@x.org"]);
  });

  it("writes and reads in batches", async () => {
    const batch = {};
    for (const email of ["e@x.org", "f@x.org"]) await User.create({ accountId: acme.id, email }, { batch });
    await table.batchWrite(batch);
    const reading = {};
    for (const email of ["e@x.org", "f@x.org"]) await User.get({ accountId: acme.id, email }, { batch: reading });
    const users = await table.batchGet(reading, { parse: true, hidden: false });
    assert.deepEqual(users.map((one) => one.email).toSorted(), ["e@x.org", "f@x.org"]);
  });

  it("scans a model and fetches a collection", async () => {
    assert.deepEqual((await Account.scan()).map((one) => one.name).toSorted(), ["Acme", "Zebra"]);
    const collection = await table.fetch(["Account", "User"], { pk: `account#${acme.id}` });
    assert.deepEqual([collection.Account.length, collection.User.length], [1, 6]);
  });

  it("removes, and frees the unique name", async () => {
    await Account.remove({ id: acme.id });
    assert.equal(await Account.get({ id: acme.id }), undefined);
    assert.equal((await Account.create({ name: "Acme" })).name, "Acme");
  });
});
