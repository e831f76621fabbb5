// SPDX-License-Identifier: Apache-2.0
// As much of a PartiQL statement as the page needs before the server reads it.

// Whether it may change items. What is not plainly a SELECT counts as a change.
export function mayWrite(statement: string): boolean {
  return !/^\s*(?:--[^\n]*\n\s*)*select\b/i.test(statement);
}

export function selectAll(table: string): string {
  return `SELECT * FROM "${table.replaceAll('"', '""')}"`;
}
