import { pathToFileURL } from "node:url";
import { joinPath } from "../codebase/index.ts";
import { disk, systemClock, watchDisk } from "../codebase/node/index.ts";
import { type FlagSetting, loadConfig, userConfigFolder } from "../config/index.ts";
import type { NextEditRequest } from "../next/index.ts";
import { type DiskFollower, NextEditWorkspace } from "../next/node/index.ts";
import { loadNextEditSettings } from "../server/session/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { openActivityLine } from "./activity-line.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { checkModelNames, modelFlags } from "./model-flags.ts";
import { NamedModels } from "./named-models.ts";
import type { ToldHistory } from "./next-history.ts";
import { countText } from "./print-amount.ts";
import { printable, type Terminal } from "./terminal.ts";

/** What the command line says of who suggests, and when. */
export interface NextChoices {
  readonly model: readonly string[] | undefined;
  readonly eagerness: string | undefined;
  /** How the model is asked, by the name of a format. */
  readonly format: string | undefined;
  readonly trust: boolean;
  readonly json: boolean;
}

/** A workspace in which next edits are suggested, as commands have it. */
export interface OpenNext extends AsyncDisposable {
  readonly workspace: NextEditWorkspace;
  /** What is wrong that can be lived with, one line each; what comes later goes to standard error. */
  readonly notes: readonly string[];
}

/** Opens a workspace for next edits, and waits until it is read. With `follow` changes on the disk are followed, as those of the person. */
export async function openNext(
  root: string,
  choices: NextChoices,
  terminal: Terminal,
  follower?: DiskFollower,
): Promise<OpenNext> {
  const { environment, signal } = terminal;
  checkModelNames(choices.model);
  const models = new NamedModels({ environment });
  const activity = openActivityLine(terminal);
  const syntax = openSyntax();
  const closing: (() => Promise<void> | void)[] = [() => syntax[Symbol.dispose](), () => models[Symbol.asyncDispose]()];
  const close = async () => {
    while (closing.length > 0) await closing.pop()!();
  };
  try {
    const flags = [...modelFlags(choices.model, ["next", "model"]), ...flagsOf(choices)];
    const source = {
      fileSystem: disk,
      userFolder: userConfigFolder(),
      environment,
      flags,
      ...(choices.trust && { isTrusted: true }),
    };
    const { issues } = await loadConfig({ root, isTrusted: undefined, ...source });
    const settings = await loadNextEditSettings(
      { ...source, openModel: (name, one) => models.open(name, one) },
      { root, editor: undefined },
    );
    closing.push(() => settings[Symbol.dispose]());
    if (choices.model !== undefined && settings.model === undefined) {
      const message = `${settings.modelIssues.join(" ")} Name another one with --model, or none.`.trim();
      throw new CommandFailure("no-model", message, { exitCode: exitCodes.failed });
    }
    const notes = [...issues.map(({ message }) => message), ...settings.modelIssues];
    let isOpen = false;
    const workspace = new NextEditWorkspace({
      ...{ root, fileSystem: disk, clock: systemClock, syntax, settings: settings.settings },
      ...(settings.model && { model: settings.model }),
      ...(follower && { follower, watch: watchDisk, diskChanges: "person" }),
      yieldThread: () => new Promise((resolve) => setImmediate(resolve)),
      onProblem: (message) => {
        if (isOpen && !choices.json) terminal.err(`${printable(message)}\n`);
        else notes.push(message);
      },
    });
    closing.push(() => workspace[Symbol.asyncDispose]());
    const showing = setInterval(() => activity.show(`Reading: ${countText(workspace.size, "file")}`), 100);
    try {
      await settledUnless(signal, workspace.ready);
    } finally {
      clearInterval(showing);
      activity.close();
    }
    isOpen = true;
    if (!choices.json) for (const note of notes) terminal.err(`${printable(note)}\n`);
    return { workspace, notes, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Tells a workspace what was edited lately, as if an editor had it open. */
export function tellHistory(workspace: NextEditWorkspace, { moves, edits }: ToldHistory): void {
  // The workspace knows them at their new paths already.
  for (const { from, to } of moves) workspace.engine.renamed(from, to);
  const opened = new Set<string>();
  for (const { path, before } of edits) {
    if (opened.has(path)) continue;
    opened.add(path);
    workspace.open(path, before);
  }
  for (const { path, before, edit } of edits) workspace.change(path, before, edit);
  workspace.show([...new Set(edits.map(({ path }) => path).reverse())]);
}

/** Asks for the next edit at a place. */
export function nextRequest(
  workspace: NextEditWorkspace,
  {
    root,
    path,
    offset,
    trigger,
  }: {
    readonly root: string;
    readonly path: string;
    readonly offset: number;
    readonly trigger: NextEditRequest["trigger"];
  },
): NextEditRequest {
  const text = workspace.files.textOf(path) ?? "";
  const uri = pathToFileURL(joinPath(root, path)).href;
  const document = { uri, language: workspace.files.languageOf(path), version: 1, text };
  return { document, path, offset: Math.min(offset, text.length), trigger };
}

/** Waits for `work`, and rejects at once where a person does not want to wait. */
export async function settledUnless(signal: AbortSignal, work: Promise<void>): Promise<void> {
  signal.throwIfAborted();
  let stop!: () => void;
  const stopped = new Promise<void>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** What the command line says of suggesting, as settings: who sets them to what cannot be is told as of any setting. */
export function flagsOf({
  eagerness,
  format,
}: Partial<Pick<NextChoices, "eagerness" | "format">>): readonly FlagSetting[] {
  return [
    ...(eagerness === undefined ? [] : [{ flag: "--eagerness", path: ["next", "eagerness"], value: eagerness }]),
    ...(format === undefined ? [] : [{ flag: "--format", path: ["next", "format"], value: format }]),
  ];
}
