// SPDX-License-Identifier: Apache-2.0
// ElectroDB: a service of two entities in one table, its collections, updates and transactions.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Entity, Service } from "electrodb";
import { createTable, deleteTable, documents } from "./clients.js";

const table = "ElectroTasks";
const options = { table, client: documents };

const Employee = new Entity(
  {
    model: { entity: "employee", version: "1", service: "taskapp" },
    attributes: {
      employeeId: { type: "string", required: true },
      team: { type: ["platform", "research"], required: true },
      name: { type: "string", required: true },
      level: { type: "number", default: 1 },
      skills: { type: "set", items: "string" },
      office: { type: "map", properties: { city: { type: "string" }, floor: { type: "number" } } },
    },
    indexes: {
      byId: { pk: { field: "pk", composite: ["employeeId"] }, sk: { field: "sk", composite: [] }, collection: "assignments" },
      byTeam: { index: "gsi1", pk: { field: "gsi1pk", composite: ["team"] }, sk: { field: "gsi1sk", composite: ["name"] } },
    },
  },
  options,
);

const Task = new Entity(
  {
    model: { entity: "task", version: "1", service: "taskapp" },
    attributes: {
      employeeId: { type: "string", required: true },
      taskId: { type: "string", required: true },
      points: { type: "number", default: 0 },
      status: { type: ["open", "closed"], default: "open" },
    },
    indexes: {
      byEmployee: { pk: { field: "pk", composite: ["employeeId"] }, sk: { field: "sk", composite: ["taskId"] }, collection: "assignments" },
    },
  },
  options,
);

const app = new Service({ Employee, Task });

const ada = {
  employeeId: "e1", team: "platform", name: "Ada", level: 3, skills: ["c", "sql"], office: { city: "Bonn", floor: 2 },
};

describe("ElectroDB", () => {
  before(() => createTable(table, { partition: "pk", sort: "sk", indexes: { gsi1: { partition: "gsi1pk", sort: "gsi1sk" } } }));
  after(() => deleteTable(table));

  it("puts and gets with sets and maps", async () => {
    await Employee.put(ada).go();
    const { data } = await Employee.get({ employeeId: "e1" }).go();
    assert.deepEqual({ ...data, skills: data.skills.toSorted() }, ada);
  });

  it("create refuses what exists", async () => {
    await assert.rejects(Employee.create(ada).go(), /conditional request failed/i);
  });

  it("queries an index in order", async () => {
    await Employee.put([
      { employeeId: "e2", team: "platform", name: "Bob" },
      { employeeId: "e3", team: "platform", name: "Abe" },
      { employeeId: "e4", team: "research", name: "Cleo" },
    ]).go();
    const { data } = await Employee.query.byTeam({ team: "platform" }).go();
    assert.deepEqual(data.map((one) => one.name), ["Abe", "Ada", "Bob"]);
    const begins = await Employee.query.byTeam({ team: "platform" }).begins({ name: "A" }).go({ order: "desc" });
    assert.deepEqual(begins.data.map((one) => one.name), ["Ada", "Abe"]);
  });

  it("patches, adds, appends and removes", async () => {
    const { data } = await Employee.patch({ employeeId: "e1" })
      .add({ level: 2, skills: ["go"] })
      .data((attribute, { set }) => set(attribute.office.floor, 5))
      .go({ response: "all_new" });
    assert.equal(data.level, 5);
    assert.equal(data.office.floor, 5);
    assert.deepEqual(data.skills.toSorted(), ["c", "go", "sql"]);
    await assert.rejects(Employee.patch({ employeeId: "nobody" }).set({ level: 9 }).go(), /conditional request failed/i);
  });

  it("reads a collection of two entities with one Query", async () => {
    for (const taskId of ["t1", "t2", "t3"]) await Task.create({ employeeId: "e1", taskId, points: 5 }).go();
    const { data } = await app.collections.assignments({ employeeId: "e1" }).go();
    assert.deepEqual(data.Employee.map((one) => one.name), ["Ada"]);
    assert.deepEqual(data.Task.map((one) => one.taskId), ["t1", "t2", "t3"]);
  });

  it("pages with a cursor", async () => {
    const seen = [];
    let cursor = null;
    do {
      const page = await Task.query.byEmployee({ employeeId: "e1" }).go({ limit: 2, cursor });
      seen.push(page.data.map((one) => one.taskId));
      cursor = page.cursor;
    } while (cursor);
    assert.deepEqual(seen.filter((page) => page.length > 0), [["t1", "t2"], ["t3"]]);
  });

  it("filters with where", async () => {
    await Task.update({ employeeId: "e1", taskId: "t2" }).set({ status: "closed" }).go();
    const { data } = await Task.query
      .byEmployee({ employeeId: "e1" })
      .where(({ status }, { eq }) => eq(status, "closed"))
      .go();
    assert.deepEqual(data.map((one) => one.taskId), ["t2"]);
  });

  it("writes and reads in transactions", async () => {
    const written = await app.transaction
      .write(({ Employee: employee, Task: task }) => [
        employee.update({ employeeId: "e2" }).add({ level: 1 }).commit(),
        task.create({ employeeId: "e2", taskId: "t9" }).commit(),
        employee.check({ employeeId: "e1" }).where(({ name }, { eq }) => eq(name, "Ada")).commit(),
      ])
      .go();
    assert.equal(written.canceled, false);
    const read = await app.transaction
      .get(({ Employee: employee, Task: task }) => [
        employee.get({ employeeId: "e2" }).commit(),
        task.get({ employeeId: "e2", taskId: "t9" }).commit(),
      ])
      .go();
    assert.deepEqual([read.data[0].item.level, read.data[1].item.status], [2, "open"]);
  });

  it("reports which part cancelled a transaction", async () => {
    const refused = await app.transaction
      .write(({ Task: task }) => [
        task.create({ employeeId: "e2", taskId: "t9" }).commit({ response: "all_old" }),
        task.create({ employeeId: "e2", taskId: "t10" }).commit(),
      ])
      .go();
    assert.equal(refused.canceled, true);
    assert.deepEqual(refused.data.map((one) => one.code), ["ConditionalCheckFailed", "None"]);
    assert.equal(refused.data[0].item.taskId, "t9");
  });

  it("gets and deletes in batches", async () => {
    const keys = ["t1", "t2", "t3"].map((taskId) => ({ employeeId: "e1", taskId }));
    const { data, unprocessed } = await Task.get([...keys, { employeeId: "e1", taskId: "absent" }]).go();
    assert.deepEqual(data.map((one) => one.taskId).toSorted(), ["t1", "t2", "t3"]);
    assert.deepEqual(unprocessed, []);
    await Task.delete(keys).go();
    assert.deepEqual((await Task.query.byEmployee({ employeeId: "e1" }).go()).data, []);
  });

  it("scans one entity of the table", async () => {
    const { data } = await Employee.scan.go();
    assert.deepEqual(data.map((one) => one.employeeId).toSorted(), ["e1", "e2", "e3", "e4"]);
  });
});
