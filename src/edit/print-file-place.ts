import type { FilePlace } from "./edit-outcome.ts";

/** The line in front of a place, for people: `src/a.ts:12`; at the beginning of a file, its first one. */
export function printFilePlace({ path, line }: FilePlace): string {
  return `${path}:${Math.max(line, 1)}`;
}
