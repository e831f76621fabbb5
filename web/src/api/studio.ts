// SPDX-License-Identifier: Apache-2.0
// The studio's own questions: sizes, units and prices are the server's to say.
import { queryOptions } from "@tanstack/react-query";
import type { Item } from "../core/attribute";
import { askStudio } from "./client";

export interface ItemCost {
  attributes: { name: string; type: string; nameBytes: number; valueBytes: number }[]; // heaviest first
  bytes: number;
  storedBytes: number;
  bytesMax: number;
  fits: boolean;
  readEventual: number;
  readStrong: number;
  readTransactional: number;
  write: number;
  writeTransactional: number;
}

export interface ReadCost {
  units: number;
  calls: number;
}

export interface MonthDemand {
  region: string;
  readUnits: number;
  writeUnits: number;
  readUnitsPeak: number;
  writeUnitsPeak: number;
  storageGb: number;
  backupGb: number;
  utilizationPercent: number;
  replicas: number;
  pointInTimeRecovery: "yes" | "no";
}

export interface MonthCost {
  region: string;
  priceDate: string;
  prices: {
    billing: string;
    tableClass: string;
    total: string; // "$12.34"
    totalNano: number;
    addends: { name: string; basis: string; monthly: string; monthlyNano: number }[];
  }[]; // cheapest first
  breakEvenReadPpm: number;
  breakEvenWritePpm: number;
  unverified: string[];
}

function costQuery<Cost>(calculator: string, input: object) {
  return queryOptions({
    queryKey: ["studio", calculator, input],
    queryFn: ({ signal }) => askStudio<Cost>(`cost-${calculator}`, input, signal),
    staleTime: Infinity,
  });
}

export function itemCostQuery(item: Item) {
  return costQuery<ItemCost>("item", { item });
}

// Of reading `items` items of `bytes` bytes in all, side by side.
export function scanCostQuery(items: number, bytes: number, consistency: "eventual" | "strong") {
  return costQuery<ReadCost>("read", { items, bytes: items === 0 ? 0 : Math.ceil(bytes / items), kind: "query", consistency });
}

export function monthCostQuery(demand: MonthDemand) {
  return costQuery<MonthCost>("month", demand);
}
