import { type Config, type ConfigIssue, loadConfig, printOrigin, userConfigFolder } from "../config/index.ts";
import {
  type BuiltinStatistics,
  ModelError,
  type ModelProblem,
  type ModelReport,
  parseModelName,
  printModelReport,
  probeModel,
} from "../model/index.ts";
import { KeyCommands, type StoredIndexHeader, webHost } from "../model/node/index.ts";
import { isDependency, modelSettingsOf } from "../server/session/index.ts";
import { type SkippedPath, type SkipReason, type WorkspaceFile, walkWorkspace } from "../workspace/index.ts";
import { blockingDisk } from "../workspace/node/index.ts";
import { indexCacheOf } from "./cache-folder.ts";
import { hasErrors } from "./config.ts";
import { interruptionNotes } from "./edit/edit-workspace.ts";
import { checkModelNames, modelFlags, NamedModels } from "./named-models.ts";
import { openRoot } from "./open-file.ts";
import { type ExitCode, exitCodes } from "./terminal/exit-codes.ts";
import { jsonLine } from "./terminal/masked-terminal.ts";
import { bytesText, countText, secondsText } from "./terminal/print-amount.ts";
import { groupSkipped, type SkippedGroup } from "./terminal/skipped-groups.ts";
import { printable, styled, type Terminal } from "./terminal/terminal.ts";

/** The options of `emend status`. */
export interface StatusOptions {
  readonly json: boolean;
  /** The models to try instead of those of the configuration. */
  readonly model: readonly string[] | undefined;
  /** The models to try for edits by instruction instead of those of `edit.model`. */
  readonly editModel: readonly string[] | undefined;
  /** Whether the person trusts the workspace's configuration. */
  readonly trust: boolean;
}

/** The output of `--json`. Fields may be added; none changes its meaning. */
export interface StatusReport {
  readonly kind: "learnt" | "not-learnt";
  readonly root: string;
  /** The number of files of the workspace that can be learnt, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Why there is no cached index; only when not learnt. */
  readonly cache?: "absent" | "other-version" | "broken";
  /** Only when learnt. */
  readonly index?: {
    readonly statistics: BuiltinStatistics;
    /** The number of files of dependencies among those learnt. */
    readonly dependencies: number;
    readonly learningMs: number;
    readonly bytesOnDisk: number;
    readonly path: string;
    /** In ISO 8601. */
    readonly writtenAt: string;
    readonly isComplete: boolean;
    /** The numbers of files of the workspace that are new, have changed, or are gone since. */
    readonly added: number;
    readonly changed: number;
    readonly gone: number;
  };
  readonly skipped: readonly SkippedGroup[];
  /** Whether the models are configured, rather than the defaults. */
  readonly areModelsNamed: boolean;
  /** The report of each model that was tried, in order of preference. */
  readonly models: readonly ModelReport[];
  /**
   * The same for the models of `edit.model` or `--edit-model`; empty where only `--model` names
   * what is tried.
   */
  readonly editModels: readonly ModelReport[];
  /** Notes about the files of the workspace, such as a change that an interrupted edit left. */
  readonly notes: readonly string[];
  /** The problems of the configuration. */
  readonly issues: readonly (ConfigIssue & { readonly from: string })[];
}

/**
 * Runs `emend status [FOLDER]`. Learns and writes nothing. Each model is tried with two short
 * requests, which contain nothing of the workspace. Problems of models and of the configuration are
 * part of the report; where a model cannot do what it is named for, or the configuration has
 * errors, the exit code is `failed`; otherwise it is `emptyWorkspace` where there are no source
 * files.
 *
 * Throws a `CommandFailure` where a name of `--model` is malformed or there is no such folder.
 * Rejects with the signal's reason on abort.
 */
export async function status(
  folder: string | undefined,
  options: StatusOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { workingFolder, environment, signal } = terminal;
  const { model: named, editModel: namedForEdits } = options;
  for (const names of [named, namedForEdits]) checkModelNames(names);
  const root = await openRoot({ workspace: folder, workingFolder, fileSystem: blockingDisk });
  const cache = indexCacheOf(terminal);
  const describing = cache.describe(root);
  const files: WorkspaceFile[] = [];
  const skipped: SkippedPath[] = [];
  for await (const item of walkWorkspace(root, { fileSystem: blockingDisk, signal })) {
    if (item.kind === "file") files.push(item);
    else skipped.push(item);
  }
  const { config, origins, issues } = await loadConfig({
    ...{
      root,
      userFolder: userConfigFolder(),
      environment,
      fileSystem: blockingDisk,
      flags: [...modelFlags(named), ...modelFlags(namedForEdits, ["edit", "model"])],
    },
    ...(options.trust && { isTrusted: true }),
  });
  const kept = await describing;
  signal.throwIfAborted();
  if (kept.kind === "kept") {
    for (const { path, refused } of kept.value.files) {
      if (refused !== undefined) skipped.push({ kind: "skipped", path, reason: JSON.parse(refused) as SkipReason });
    }
  }
  // One after the other, so that they do not slow each other down.
  const keyCommands = new KeyCommands({ environment });
  const models: ModelReport[] = [];
  for (const name of config.model) models.push(await checkModel(name, { config, environment, keyCommands, signal }));
  const editModels: ModelReport[] = [];
  for (const name of named === undefined || namedForEdits !== undefined ? config.edit.model : []) {
    editModels.push(forEdits(await checkModel(name, { config, environment, keyCommands, signal, capability: "chat" })));
  }
  const report: StatusReport = {
    kind: kept.kind === "kept" ? "learnt" : "not-learnt",
    root,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    ...(kept.kind === "kept" ? { index: compare(kept.value, files, cache.fileOf(root)) } : { cache: kept.kind }),
    skipped: groupSkipped(skipped),
    areModelsNamed: origins.has("model"),
    models,
    editModels,
    notes: await interruptionNotes(root, terminal),
    issues: issues.map((issue) => ({ ...issue, from: printOrigin(issue.origin, root) })),
  };
  terminal.out(options.json ? jsonLine(report, terminal) : `${print(report, terminal.colour)}\n`);
  const areOfUse = models.every(({ can }) => can.fill) && editModels.every(({ can }) => can.chat);
  if (!areOfUse || hasErrors(issues)) return exitCodes.failed;
  return isEmpty(report) ? exitCodes.emptyWorkspace : exitCodes.done;
}

/** The report of a model for edits, with a problem added if it cannot chat. */
function forEdits(report: ModelReport): ModelReport {
  if (report.can.chat || report.problems.length > 0) return report;
  const message = "It cannot chat, so it takes no instructions: `edit.model` needs one that can.";
  return { ...report, problems: [...report.problems, { code: "unsupported", message }] };
}

function isEmpty({ kind, files }: StatusReport): boolean {
  return kind === "not-learnt" && files === 0;
}

function compare(
  record: StoredIndexHeader,
  files: readonly WorkspaceFile[],
  path: string,
): NonNullable<StatusReport["index"]> {
  const known = new Map(record.files.map((file) => [file.path, file]));
  const present = new Set(files.map((file) => file.path));
  let added = 0;
  let changed = 0;
  for (const { path, size, mtimeMs } of files) {
    const file = known.get(path);
    if (file === undefined) added += 1;
    else if (file.size !== size || (file.mtimeMs >= 0 && file.mtimeMs !== mtimeMs)) changed += 1;
  }
  const dependencies = record.files.filter((file) => isDependency(file.path));
  return {
    statistics: record.statistics,
    dependencies: dependencies.length,
    learningMs: Math.round(record.learningMs),
    bytesOnDisk: record.bytes,
    path,
    writtenAt: new Date(record.writtenAtMs).toISOString(),
    isComplete: record.isComplete,
    ...{ added, changed },
    gone: record.files.filter((file) => !isDependency(file.path) && !present.has(file.path)).length,
  };
}

function print(report: StatusReport, colour: boolean): string {
  const rows: [string, string][] = [
    ["Workspace", printable(report.root)],
    ["Sources", sourcesText(report)],
  ];
  const { index } = report;
  if (index === undefined && !isEmpty(report)) {
    const why = { absent: "", "other-version": " (cached by another version)", broken: " (the cache is broken)" };
    rows.push(["Learnt", `nothing yet${why[report.cache!]}; \`emend learn\` learns it in advance`]);
  } else if (index !== undefined) {
    const { files, tokens, distinctTokens, languages, bytes } = index.statistics;
    const dependencies =
      index.dependencies === 0 ? "" : `, including ${index.dependencies.toLocaleString("en")} of dependencies`;
    rows.push(
      ["Learnt", `${countText(files, "file")}${dependencies}${index.isComplete ? "" : "; incomplete"}`],
      ["Tokens", `${tokens.toLocaleString("en")}, ${distinctTokens.toLocaleString("en")} distinct`],
      ["Languages", languagesText(languages)],
      ["Time", `${secondsText(index.learningMs)} of learning; cached ${index.writtenAt}`],
      ["Size", `${bytesText(bytes)} in memory, ${bytesText(index.bytesOnDisk)} on disk`],
      ["Cached in", printable(index.path)],
      ["Since then", changesText(index)],
    );
  }
  const names = report.models.map(({ name }) => printable(name)).join(", ");
  const others = report.areModelsNamed ? "" : "; `model` in emend.config.json, or EMEND_MODEL, sets others";
  rows.push(["Models", names + others]);
  const { editModels } = report;
  if (editModels.length > 0) rows.push(["Edits", editModels.map(({ name }) => printable(name)).join(", ")]);
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `${styled(name.padEnd(width), "bold", colour)}  ${value}`).join("\n");
  const sections = [table, ...report.notes];
  for (const model of [...report.models, ...editModels]) {
    if (model.name === "builtin" && model.problems.length === 0) continue;
    sections.push(printModelReport(model).split("\n").map(printable).join("\n"));
  }
  if (report.issues.length > 0) sections.push(issueLines(report.issues, colour));
  if (report.skipped.length > 0) sections.push(skippedLines(report.skipped, colour));
  return sections.join("\n\n");
}

function sourcesText(report: StatusReport): string {
  if (!isEmpty(report)) return `${countText(report.files, "file")}, ${bytesText(report.bytes)}`;
  return report.skipped.length === 0
    ? "none; give the folder that contains them"
    : "none; what was skipped is listed below";
}

function issueLines(issues: StatusReport["issues"], colour: boolean): string {
  const lines = issues.map(({ severity, message }) => `  ${severity.padEnd(7)}  ${printable(message)}`);
  return `${styled("Configuration", "bold", colour)}\n${lines.join("\n")}`;
}

function languagesText(languages: Readonly<Record<string, number>>): string {
  return Object.entries(languages)
    .sort(([, a], [, b]) => b - a)
    .map(([id, count]) => `${id} ${count.toLocaleString("en")}`)
    .join(", ");
}

function changesText({ added, changed, gone }: NonNullable<StatusReport["index"]>): string {
  const parts = [
    ...(added > 0 ? [`${countText(added, "file")} new`] : []),
    ...(changed > 0 ? [`${countText(changed, "file")} changed`] : []),
    ...(gone > 0 ? [`${countText(gone, "file")} gone`] : []),
  ];
  return parts.length === 0 ? "nothing has changed" : parts.join(", ");
}

function skippedLines(groups: readonly SkippedGroup[], colour: boolean): string {
  const width = Math.max(...groups.map(({ count }) => count.toLocaleString("en").length));
  const lines = groups.map(({ kind, count, examples }) => {
    const shown = examples.map(({ path, reason }) => `${printable(path)} (${printable(reason)})`).join(", ");
    const more = count > examples.length ? ", …" : "";
    return `  ${count.toLocaleString("en").padStart(width)} ${kind.padEnd(16)} ${styled(shown + more, "dim", colour)}`;
  });
  return `${styled("Skipped", "bold", colour)}\n${lines.join("\n")}`;
}

/** What a model is tried with. */
interface CheckModelOptions {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly keyCommands: KeyCommands;
  readonly signal: AbortSignal;
  /** What the model is tried for; `fill` by default. */
  readonly capability?: "fill" | "chat";
}

/**
 * Tries a model by its name: the built-in model always works, a file is opened, a server is
 * requested. Problems are in the report. Rejects only with the signal's own reason.
 */
async function checkModel(
  name: string,
  { config, environment, keyCommands, signal, capability = "fill" }: CheckModelOptions,
): Promise<ModelReport> {
  const settings = modelSettingsOf(config, name, capability === "chat" ? "edit" : "complete");
  const provider = parseModelName(name).name?.provider;
  if (provider === "builtin") {
    return { name: "builtin", isReachable: true, can: { fill: true, chat: false, next: true }, problems: [] };
  }
  if (provider !== "gguf") {
    return probeModel(name, webHost({ environment, settings, keyCommands }), { signal, face: capability });
  }
  const models = new NamedModels({ environment });
  try {
    const model = await models.open(name, settings);
    const can = { fill: model.fill !== undefined, chat: model.chat !== undefined, next: model.next !== undefined };
    const { contextTokens } = model;
    const report = { name, isReachable: true, server: "llama.cpp, in this process", can, problems: [] };
    return { ...report, ...(contextTokens !== undefined && { contextTokens }) };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const problem: ModelProblem = { code: error.code, message: error.message };
    return { name, isReachable: false, can: { fill: false, chat: false, next: false }, problems: [problem] };
  } finally {
    await models[Symbol.asyncDispose]();
  }
}
