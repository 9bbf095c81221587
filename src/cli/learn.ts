import type { BuiltinStatistics } from "../model/index.ts";
import { type LearntWorkspace, learnWorkspace } from "../server/session/index.ts";
import { blockingDisk } from "../workspace/node/index.ts";
import { indexCacheOf } from "./cache-folder.ts";
import { keep } from "./complete/complete.ts";
import { openRoot } from "./open-file.ts";
import { type ExitCode, exitCodes } from "./terminal/exit-codes.ts";
import { CommandFailure } from "./terminal/failure.ts";
import { jsonLine } from "./terminal/masked-terminal.ts";
import { bytesText, countText, secondsText } from "./terminal/print-amount.ts";
import { openProgressBar } from "./terminal/progress.ts";
import { groupSkipped, type SkippedGroup } from "./terminal/skipped-groups.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** The options of `emend learn`. */
export interface LearnCommandOptions {
  readonly json: boolean;
  readonly cache: boolean;
}

/** The output of `--json`. Fields may be added; none changes its meaning. */
export interface LearnReport {
  readonly kind: "learnt";
  readonly root: string;
  readonly statistics: BuiltinStatistics;
  readonly cache: LearntWorkspace["cache"];
  /** The numbers of files learnt and forgotten in this run. */
  readonly learnt: number;
  readonly forgotten: number;
  readonly tookMs: number;
  /** Bytes of the index on disk, where it was written in this run. */
  readonly bytesOnDisk?: number;
  readonly skipped: readonly SkippedGroup[];
}

/**
 * Runs `emend learn [FOLDER]`: learns a workspace and saves its index. Without `folder`, the
 * workspace is that of the working folder. An index that cannot be saved is a message on standard
 * error, not a failure.
 *
 * Throws a {@link CommandFailure} where there is no such folder, and with code `empty-workspace`
 * where it has no source files. Rejects with the signal's reason on abort.
 */
export async function learn(
  folder: string | undefined,
  options: LearnCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { workingFolder, signal, now } = terminal;
  const root = await openRoot({ workspace: folder, workingFolder, fileSystem: blockingDisk });
  const bar = openProgressBar(terminal);
  const learning = await learnWorkspace({
    ...{ root, fileSystem: blockingDisk, signal, now },
    cache: options.cache ? indexCacheOf(terminal) : undefined,
    maxDependencyBytes: 4_000_000,
    onProgress: bar.show,
  }).finally(bar[Symbol.dispose]);
  if (learning.model.knowledge.files.size === 0) throw emptyWorkspace(root, groupSkipped(learning.skipped).length);
  if (learning.cache === "broken" && !options.json) {
    terminal.err(`The cached index was broken (${learning.cacheDetail}) and was learnt again.\n`);
  }
  const bytesOnDisk = await keep(learning, terminal, { afterAnyChange: true });

  const report: LearnReport = {
    kind: "learnt",
    root,
    statistics: learning.model.statistics,
    ...{ cache: learning.cache, learnt: learning.learnt, forgotten: learning.forgotten },
    tookMs: Math.round(learning.tookMs),
    ...(bytesOnDisk !== undefined && { bytesOnDisk }),
    skipped: groupSkipped(learning.skipped),
  };
  terminal.out(options.json ? jsonLine(report, terminal) : `${sentence(report)}\n`);
  return exitCodes.done;
}

/** The failure for a folder without source files. */
function emptyWorkspace(root: string, skipped: number): CommandFailure {
  const why = skipped === 0 ? "Give the folder that contains them." : "`emend status` lists what was skipped.";
  const message = `There are no source files in ${root}. ${why}`;
  return new CommandFailure("empty-workspace", message, { exitCode: exitCodes.emptyWorkspace });
}

function sentence({ learnt, forgotten, statistics, tookMs, bytesOnDisk }: LearnReport): string {
  const known = `${countText(statistics.files, "file")}, ${countText(statistics.tokens, "token")}`;
  const kept = bytesOnDisk === undefined ? "" : `, kept in ${bytesText(bytesOnDisk)}`;
  if (learnt === 0 && forgotten === 0) return `Nothing has changed: ${known} known (${secondsText(tookMs)}${kept}).`;
  const gone = forgotten === 0 ? "" : ` and forgot ${countText(forgotten, "file")}`;
  return `Learnt ${countText(learnt, "file")}${gone} in ${secondsText(tookMs)}: ${known} known${kept}.`;
}
