import { expect, test } from "vitest";
import { isNoChangeRow, noChangeRow } from "./no-change-row.ts";

test("isNoChangeRow accepts rows that state no change", () => {
  for (const row of [noChangeRow, "no change", "**No changes needed.**", "No changes are required"]) {
    expect(isNoChangeRow(row), row).toBe(true);
  }
  for (const row of ["", "No changes to a.ts", "changes", "There are no changes in b.ts, but:"]) {
    expect(isNoChangeRow(row), row).toBe(false);
  }
});
