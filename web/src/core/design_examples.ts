// SPDX-License-Identifier: Apache-2.0
// The designs of the tree's examples/, as they stand when the page is built.
import type { DocumentName, Texts } from "./design";

const files = import.meta.glob<string>("../../../examples/*.yaml", { query: "?raw", import: "default", eager: true });

export function exampleTexts(name: DocumentName): Texts {
  const text = (ending: string) => files[`../../../examples/${name}.${ending}.yaml`] ?? "";
  return { model: text("kw"), design: text("design") };
}
