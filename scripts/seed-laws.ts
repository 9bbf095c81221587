/**
 * Seeds the property tests: one printed seed a run, so that a failure can be run again.
 *
 * `LAW_SEED` sets the seed and `LAW_RUNS` the number of cases of each law (default: 100).
 */
import fc from "fast-check";

const seed = Number(process.env["LAW_SEED"] ?? 20260101);
const numRuns = Number(process.env["LAW_RUNS"] ?? 100);

fc.configureGlobal({ seed, numRuns, verbose: true });
