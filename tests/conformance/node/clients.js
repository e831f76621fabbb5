// SPDX-License-Identifier: Apache-2.0
// What every file here needs: the SDK's clients, a table that is ready, and the units of an answer.
import { DynamoDBClient, CreateTableCommand, DeleteTableCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

// Endpoint, region and credentials come from the environment (tests/conformance/with_server).
export const client = new DynamoDBClient({});
export const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

// An index from its key attributes: {partition, sort, project}, project being "ALL", "KEYS_ONLY" or a list.
function index(name, { partition, sort, project = "ALL" }) {
  return {
    IndexName: name,
    KeySchema: keySchema(partition, sort),
    Projection: Array.isArray(project)
      ? { ProjectionType: "INCLUDE", NonKeyAttributes: project }
      : { ProjectionType: project },
  };
}

// Partition and sort may each be one attribute or a list of them (multi-attribute index keys).
function keySchema(partition, sort = []) {
  return [
    ...[partition].flat().map((AttributeName) => ({ AttributeName, KeyType: "HASH" })),
    ...[sort].flat().map((AttributeName) => ({ AttributeName, KeyType: "RANGE" })),
  ];
}

// Creates an on-demand table whose key attributes are strings, and waits until it is active.
export async function createTable(TableName, { partition, sort, indexes = {} }) {
  const GlobalSecondaryIndexes = Object.entries(indexes).map(([name, shape]) => index(name, shape));
  const KeySchema = keySchema(partition, sort);
  const names = new Set([KeySchema, ...GlobalSecondaryIndexes.map((one) => one.KeySchema)].flat().map((key) => key.AttributeName));
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [...names].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema,
      ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
    }),
  );
  await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 60 }, { TableName });
}

export async function deleteTable(TableName) {
  await client.send(new DeleteTableCommand({ TableName }));
}

// {table, index name: units …} of an answer that was asked for with ReturnConsumedCapacity: INDEXES.
export function unitsByPlace(capacity) {
  const indexes = Object.entries(capacity.GlobalSecondaryIndexes ?? {});
  return {
    table: capacity.Table.CapacityUnits,
    ...Object.fromEntries(indexes.map(([name, { CapacityUnits }]) => [name, CapacityUnits])),
  };
}
