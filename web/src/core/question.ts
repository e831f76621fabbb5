// SPDX-License-Identifier: Apache-2.0
// What a person asks of a table, and the one request that answers it. A question that names the whole
// partition key is a Query; every other one is a Scan, whatever its filters say.
import type { AttributeValue, Item } from "./attribute";
import { isBase64, isNumber } from "./attribute";
import type { KeyAttribute, Structure, TableSchema } from "./schema";
import { structureOf } from "./schema";

export const operators = ["=", "<>", "<", "<=", ">", ">=", "between", "begins_with", "contains", "exists", "not_exists"] as const;
export type Operator = (typeof operators)[number];
export const sortOperators: readonly Operator[] = ["=", "begins_with", "between", "<", "<=", ">", ">="];

export const operatorNames: Record<Operator, string> = {
  "=": "=",
  "<>": "≠",
  "<": "<",
  "<=": "≤",
  ">": ">",
  ">=": "≥",
  between: "between",
  begins_with: "begins with",
  contains: "contains",
  exists: "exists",
  not_exists: "does not exist",
};

export const literalTypes = ["S", "N", "B", "BOOL", "NULL"] as const;
export type LiteralType = (typeof literalTypes)[number];

export interface Condition {
  name: string;
  operator: Operator;
  type: LiteralType;
  values: string[]; // one; two for between; none for exists
}

export interface Question {
  index: string | null;
  partition: string[]; // a text for each attribute of the partition key; "" for none
  sort: Condition[]; // on the attributes of the sort key, from the left
  filters: Condition[];
  descending: boolean;
  consistent: boolean;
  segment: { number: number; total: number } | null;
}

export const everything: Question = {
  index: null,
  partition: [],
  sort: [],
  filters: [],
  descending: false,
  consistent: false,
  segment: null,
};

export interface ReadRequest {
  TableName: string;
  IndexName?: string;
  KeyConditionExpression?: string;
  FilterExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue>;
  ScanIndexForward?: boolean;
  ConsistentRead?: boolean;
  Segment?: number;
  TotalSegments?: number;
  Limit?: number;
  ExclusiveStartKey?: Item;
  Select?: "COUNT";
  ReturnConsumedCapacity?: "TOTAL";
}

export interface Compiled {
  operation: "Query" | "Scan";
  request: ReadRequest;
  reason: string; // why it is a Query or a Scan, for the reader
  filtered: boolean;
}

export type CompileResult = { ok: true; compiled: Compiled } | { ok: false; message: string };

export function operandCount(operator: Operator): number {
  if (operator === "between") return 2;
  return operator === "exists" || operator === "not_exists" ? 0 : 1;
}

export function literal(type: LiteralType, text: string): AttributeValue | null {
  switch (type) {
    case "S":
      return { S: text };
    case "N":
      return isNumber(text.trim()) ? { N: text.trim() } : null;
    case "B":
      return isBase64(text.trim()) ? { B: text.trim() } : null;
    case "BOOL":
      return text === "true" || text === "false" ? { BOOL: text === "true" } : null;
    case "NULL":
      return { NULL: true };
  }
}

class Fault extends Error {}

class Expression {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, AttributeValue> = {};
  private namesMade = 0;
  private valuesMade = 0;

  name(text: string): string {
    const known = Object.entries(this.names).find(([, name]) => name === text);
    if (known) return known[0];
    const placeholder = `#n${this.namesMade++}`;
    this.names[placeholder] = text;
    return placeholder;
  }

  value(name: string, type: LiteralType, text: string): string {
    const made = literal(type, text);
    if (!made) throw new Fault(`“${text}” for ${name} is no ${type === "N" ? "number" : type === "B" ? "base64" : "boolean (true or false)"}.`);
    const placeholder = `:v${this.valuesMade++}`;
    this.values[placeholder] = made;
    return placeholder;
  }

  condition({ name, operator, type, values }: Condition): string {
    const subject = this.name(name);
    const operand = (i: number) => this.value(name, type, values[i] ?? "");
    switch (operator) {
      case "between":
        return `${subject} BETWEEN ${operand(0)} AND ${operand(1)}`;
      case "begins_with":
      case "contains":
        return `${operator}(${subject}, ${operand(0)})`;
      case "exists":
        return `attribute_exists(${subject})`;
      case "not_exists":
        return `attribute_not_exists(${subject})`;
      default:
        return `${subject} ${operator} ${operand(0)}`;
    }
  }
}

export function isQuery(structure: Structure, question: Question): boolean {
  return structure.partition.every((_, i) => (question.partition[i] ?? "") !== "");
}

const equals = ({ name, type }: KeyAttribute, text: string): Condition => ({ name, operator: "=", type, values: [text] });

export function compile(question: Question, schema: TableSchema): CompileResult {
  const structure = structureOf(schema, question.index);
  if (!structure) return { ok: false, message: `The table has no index “${question.index}”.` };
  const partition = structure.partition.flatMap((key, i) => {
    const text = question.partition[i] ?? "";
    return text === "" ? [] : [equals(key, text)];
  });
  const sort = question.sort.filter((each) => each.values.some((value) => value !== ""));
  const query = isQuery(structure, question);
  const filters = query ? question.filters : [...partition, ...sort, ...question.filters];
  const expression = new Expression();
  try {
    const request: ReadRequest = { TableName: schema.name };
    if (question.index !== null) request.IndexName = question.index;
    if (query) request.KeyConditionExpression = [...partition, ...sort].map((each) => expression.condition(each)).join(" AND ");
    if (filters.length > 0) request.FilterExpression = filters.map((each) => expression.condition(each)).join(" AND ");
    if (Object.keys(expression.names).length > 0) request.ExpressionAttributeNames = expression.names;
    if (Object.keys(expression.values).length > 0) request.ExpressionAttributeValues = expression.values;
    if (query && question.descending) request.ScanIndexForward = false;
    if (question.consistent && structure.kind !== "global") request.ConsistentRead = true;
    if (!query && question.segment) {
      request.Segment = question.segment.number;
      request.TotalSegments = question.segment.total;
    }
    return {
      ok: true,
      compiled: { operation: query ? "Query" : "Scan", request, reason: reasonOf(structure, query, sort, filters), filtered: filters.length > 0 },
    };
  } catch (fault) {
    if (fault instanceof Fault) return { ok: false, message: fault.message };
    throw fault;
  }
}

function reasonOf(structure: Structure, query: boolean, sort: Condition[], filters: Condition[]): string {
  const where = structure.index === null ? "the table" : structure.index;
  const keys = structure.partition.map((each) => each.name).join(" + ");
  if (query) {
    const range = sort.length > 0 ? `, a range of ${sort.map((each) => each.name).join(" + ")}` : "";
    return `One partition of ${where}${range}.${filters.length > 0 ? " The filter hides items after they are read and paid." : ""}`;
  }
  if (filters.length === 0) return `Reads all of ${where}, page by page. Give ${keys} to read one partition.`;
  return `Reads and pays for all of ${where}, and hides what does not match. Give ${keys} to make it a Query.`;
}
