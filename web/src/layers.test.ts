// SPDX-License-Identifier: Apache-2.0
// The page's own rules: who may import whom, and what no file may contain.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const root = import.meta.dirname;

// Folders of ours, and packages, that each folder may import.
const allowed: Record<string, { folders: string[]; packages: RegExp }> = {
  core: { folders: ["core"], packages: /^$/ },
  api: { folders: ["core", "api"], packages: /^@tanstack\/react-query$/ },
  ui: { folders: ["core", "ui"], packages: /^(react|lucide-react|@ariakit\/react|@codemirror\/.*|@lezer\/highlight)$/ },
  actions: { folders: ["core", "api", "ui", "actions"], packages: /^(@tanstack\/react-query|lucide-react)$/ },
  views: { folders: ["core", "api", "ui", "actions", "views"], packages: /^(react|lucide-react|@ariakit\/react|@tanstack\/react-(query|virtual))$/ },
};

const bans: [what: string, pattern: RegExp][] = [
  ["text as markup", /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write|\beval\(/],
  ["any", /[:<]\s*any\b|\bas any\b/],
  ["a default export", /^export default/m],
  ["a JavaScript number made of an item's number", /\b(Number|parseFloat|parseInt)\([^)]*\.N\b/],
];

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$/.test(file));

describe.each(files)("%s", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const folder = file.split("/")[0]!;

  test("keeps the rules", () => {
    expect(text.startsWith("// SPDX-License-Identifier: Apache-2.0\n")).toBe(true);
    expect(text.split("\n").length).toBeLessThanOrEqual(400);
    for (const [what, pattern] of bans) expect(pattern.test(text), what).toBe(false);
    const rule = allowed[folder];
    if (!rule) return; // main.tsx puts all together
    for (const found of text.matchAll(/^import (?:.* from )?"([^"]+)";$|import\("([^"]+)"\)/gm)) {
      const from = (found[1] ?? found[2])!;
      if (!from.startsWith(".")) expect(from).toMatch(rule.packages);
      else if (!from.endsWith(".svg")) expect(rule.folders).toContain(relative(root, join(root, dirname(file), from)).split("/")[0]);
    }
  });
});
