// SPDX-License-Identifier: Apache-2.0
import type { Structure } from "../../core/schema";

// "pk + sk": the partition key, then the sort key.
export function KeySignature({ structure }: { structure: Structure }) {
  const names = (keys: Structure["partition"]) => keys.map((key) => (key.type === "S" ? key.name : `${key.name} (${key.type})`)).join(", ");
  return (
    <code className="soft" style={{ whiteSpace: "nowrap" }}>
      {names(structure.partition)}
      {structure.sort.length > 0 && ` + ${names(structure.sort)}`}
    </code>
  );
}
