import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { IndexCache } from "../../src/model/node/index.ts";
import { learnWorkspace } from "../../src/server/session/index.ts";
import { disk } from "../../src/workspace/node/index.ts";
import { percentile } from "../percentile.ts";

/**
 * How long it takes until a workspace is known, in milliseconds: walk, reading and all. Medians of
 * several runs.
 */
export interface StartFigures {
  /** From nothing. */
  readonly coldMs: number;
  /** To keep the index. */
  readonly saveMs: number;
  /** From the kept index. */
  readonly warmMs: number;
  /** Bytes of the kept index. */
  readonly keptBytes: number;
}

/**
 * Learns the workspace at `root` from nothing and from a kept index, as the command line does,
 * `runs` times each.
 */
export async function measureStart(root: string, runs: number): Promise<StartFigures> {
  return inTemporaryFolder(async (folder) => {
    const cache = new IndexCache({ folder, version: "bench" });
    const start = async (kept: IndexCache | undefined) => {
      globalThis.gc?.();
      return learnWorkspace({
        ...{ root, fileSystem: disk, cache: kept, maxDependencyBytes: 0 },
        signal: new AbortController().signal,
        now: () => performance.now(),
      });
    };
    const cold: number[] = [];
    for (let run = 0; run < runs; run++) cold.push((await start(undefined)).tookMs);
    const learnt = await start(cache);
    const startMs = performance.now();
    const saved = await learnt.save();
    const saveMs = performance.now() - startMs;
    if (saved?.kind !== "saved") throw new Error(`the index was not kept: ${JSON.stringify(saved)}`);
    const warm: number[] = [];
    for (let run = 0; run < runs; run++) {
      const { cache: from, tookMs } = await start(cache);
      if (from !== "kept") throw new Error(`the kept index was not used: ${from}`);
      warm.push(tookMs);
    }
    return { coldMs: percentile(cold, 0.5), saveMs, warmMs: percentile(warm, 0.5), keptBytes: saved.bytes };
  });
}

/** How long the command line takes to complete a place, process start included. */
export interface CommandFigures {
  readonly coldMs: number;
  /** The median of several runs. */
  readonly warmMs: number;
}

/**
 * Runs the built `emend complete` at `place` (`FILE:LINE:COL`); `undefined` when it is not built.
 */
export async function measureCommand(root: string, place: string, runs: number): Promise<CommandFigures | undefined> {
  const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
  if (!existsSync(main)) return undefined;
  return inTemporaryFolder(async (folder) => {
    const run = (): number => {
      const startMs = performance.now();
      const { status, stderr } = spawnSync(process.execPath, [main, "complete", place, "--json", "--workspace", root], {
        cwd: root,
        env: { ...process.env, EMEND_CACHE_DIR: folder },
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`emend complete ${place} ended with ${status}: ${stderr}`);
      return performance.now() - startMs;
    };
    const coldMs = run();
    return { coldMs, warmMs: percentile(Array.from({ length: runs }, run), 0.5) };
  });
}

async function inTemporaryFolder<Value>(act: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "emend-bench-"));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
