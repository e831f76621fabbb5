// SPDX-License-Identifier: Apache-2.0
// A table for tests.
import type { TableDescription } from "./schema";

export const gameTable: TableDescription = {
  TableName: "Game",
  TableStatus: "ACTIVE",
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
    { AttributeName: "season", AttributeType: "S" },
    { AttributeName: "rating", AttributeType: "N" },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "bySeason",
      KeySchema: [
        { AttributeName: "season", KeyType: "HASH" },
        { AttributeName: "rating", KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "KEYS_ONLY" },
    },
  ],
};
