// SPDX-License-Identifier: Apache-2.0
// The same example data for everybody: chance that always falls the same way.
import type { AttributeValue } from "../attribute";

export class Seed {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0; // mulberry32
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

export const S = (text: string): AttributeValue => ({ S: text });
export const N = (number: number | string): AttributeValue => ({ N: String(number) });

export const padded = (number: number, digits: number): string => String(number).padStart(digits, "0");

// ISO-8601 in UTC, so that times sort as text.
export const time = (seconds: number): string => new Date(Date.UTC(2026, 5, 1) + seconds * 1000).toISOString().replace(".000", "");

export const cents = (amount: number): AttributeValue => N(`${Math.floor(amount / 100)}.${padded(amount % 100, 2)}`);

type Key = readonly [partition: string, sort?: string];
export interface Index {
  name: string;
  key: Key;
  include?: readonly string[];
}

// CreateTable's request for string keys.
export function tableOf(name: string, key: Key, indexes: readonly Index[]): object {
  const elements = ([partition, sort]: Key) => [
    { AttributeName: partition, KeyType: "HASH" },
    ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: "RANGE" }]),
  ];
  const names = new Set([key, ...indexes.map((index) => index.key)].flat());
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [...names].map((each) => ({ AttributeName: each, AttributeType: "S" })),
    KeySchema: elements(key),
    ...(indexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: indexes.map((index) => ({
            IndexName: index.name,
            KeySchema: elements(index.key),
            Projection: index.include ? { ProjectionType: "INCLUDE", NonKeyAttributes: index.include } : { ProjectionType: "ALL" },
          })),
        }),
  };
}
