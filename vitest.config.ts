import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { lawTimeoutMs } from "./src/text/node/fixtures/law-runs.ts";

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "bench/**/*.test.ts",
      "scripts/**/*.test.ts",
      "web/**/*.test.ts",
      "editors/**/*.test.ts",
    ],
    testTimeout: lawTimeoutMs(60_000),
    hookTimeout: 60_000,
    // Longer than a busy machine takes to start a process or to write a file; 1 s is the default.
    expect: { poll: { timeout: 20_000 } },
    setupFiles: ["scripts/seed-laws.ts"],
    pool: "forks",
    // Many tests wait for processes that they start, so that two workers also suit two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
