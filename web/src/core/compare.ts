// SPDX-License-Identifier: Apache-2.0
// The same question put to the table and to every index: what each of them can use of it as a key.
import type { Condition, Question } from "./question";
import { everything } from "./question";
import type { Structure, TableSchema } from "./schema";
import { structureOf } from "./schema";

// What the question says about attributes, whatever structure it was asked of.
function conditionsOf(question: Question, schema: TableSchema): Condition[] {
  const structure = structureOf(schema, question.index) ?? schema.structures[0];
  const partition = structure.partition.flatMap((key, i): Condition[] => {
    const text = question.partition[i] ?? "";
    return text === "" ? [] : [{ name: key.name, operator: "=", type: key.type, values: [text] }];
  });
  return [...partition, ...question.sort, ...question.filters];
}

const usableOnSort = new Set(["=", "<", "<=", ">", ">=", "between", "begins_with"]);

// The question as `structure` answers it: equalities on its partition key become the key, conditions
// on its sort key from the left become the range, and everything else a filter.
export function askedOf(structure: Structure, question: Question, schema: TableSchema): Question {
  const rest = conditionsOf(question, schema);
  const take = (matches: (condition: Condition) => boolean): Condition | undefined => {
    const at = rest.findIndex(matches);
    return at < 0 ? undefined : rest.splice(at, 1)[0];
  };
  const asked: Question = { ...everything, index: structure.index, descending: question.descending, consistent: question.consistent };
  const whole = structure.partition.every((key) => rest.some((each) => each.name === key.name && each.operator === "=" && each.type === key.type));
  if (!whole) return { ...asked, filters: rest };
  asked.partition = structure.partition.map((key) => take((each) => each.name === key.name && each.operator === "=")?.values[0] ?? "");
  for (const key of structure.sort) {
    const range = take((each) => each.name === key.name && each.type === key.type && usableOnSort.has(each.operator));
    if (!range) break;
    asked.sort = [...asked.sort, range];
    if (range.operator !== "=") break;
  }
  return { ...asked, filters: rest };
}
