/**
 * Prints the closing line of a test run: how many passed, failed and were skipped, from vitest's
 * JSON report.
 */
import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
console.log(
  `${report.numPassedTests} passed, ${report.numFailedTests} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
);
