// SPDX-License-Identifier: Apache-2.0
// The studio's own questions: sizes and units are the server's to say.
import { queryOptions } from "@tanstack/react-query";
import type { Item } from "../core/attribute";
import { askStudio } from "./client";

export interface ItemSize {
  Bytes: number;
  BytesMax: number;
  ReadUnits: { Eventual: number; Strong: number; Transactional: number };
  WriteUnits: { Standard: number; Transactional: number };
  Attributes: { Name: string; Type: string; NameBytes: number; ValueBytes: number }[];
}

export function itemSizeQuery(item: Item) {
  return queryOptions({
    queryKey: ["studio", "item-size", item],
    queryFn: ({ signal }) => askStudio<ItemSize>("item-size", { Item: item }, signal),
    staleTime: Infinity,
  });
}

export interface ReadCost {
  Eventual: number;
  Strong: number;
  Pages: number;
}

export function readCostQuery(bytes: number) {
  return queryOptions({
    queryKey: ["studio", "read-cost", bytes],
    queryFn: ({ signal }) => askStudio<ReadCost>("read-cost", { Bytes: bytes }, signal),
    staleTime: Infinity,
  });
}
