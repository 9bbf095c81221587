import { readFileSync } from "node:fs";
import type { NextRow } from "./next-row.ts";

/** Rows with the names of their features. */
export interface NamedRows {
  readonly names: readonly string[];
  readonly rows: readonly NextRow[];
}

/** The rows of files that `fit-next-examples` wrote, by origin. */
export function readRows(files: readonly string[]): Record<NextRow["origin"], NamedRows> {
  const names: Record<NextRow["origin"], readonly string[]> = { example: [], name: [] };
  const rows: Record<NextRow["origin"], NextRow[]> = { example: [], name: [] };
  for (const file of files) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line === "") continue;
      const one = JSON.parse(line) as NextRow | { readonly names: Partial<typeof names> };
      if ("names" in one) Object.assign(names, one.names);
      else rows[one.origin].push(one);
    }
  }
  return {
    example: { names: names.example, rows: rows.example },
    name: { names: names.name, rows: rows.name },
  };
}
