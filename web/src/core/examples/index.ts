// SPDX-License-Identifier: Apache-2.0
// The four examples of examples/*.kw.yaml as tables with data, for a first visit.
import type { Item } from "../attribute";
import { leaderboard } from "./leaderboard";
import { shop } from "./shop";
import { tenants } from "./tenants";
import { tickets } from "./tickets";

export interface Example {
  id: string;
  title: string;
  text: string;
  asks: string;
  table: string;
  request: object; // of CreateTable
  items(): Iterable<Item>;
}

export const examples: readonly Example[] = [leaderboard, shop, tenants, tickets];
