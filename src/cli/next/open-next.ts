import { pathToFileURL } from "node:url";
import { raceAbort } from "../../async/index.ts";
import { type FlagSetting, userConfigFolder } from "../../config/index.ts";
import type { NextEditRequest } from "../../next/index.ts";
import { type DiskFollower, NextEditWorkspace } from "../../next/node/index.ts";
import { loadNextEditSettings } from "../../server/session/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { AccessRules, joinPath } from "../../workspace/index.ts";
import { blockingDisk, disk, waitingClock, watchDisk } from "../../workspace/node/index.ts";
import { checkModelNames, modelFlags, NamedModels } from "../named-models.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { countText } from "../terminal/print-amount.ts";
import { openActivityLine } from "../terminal/progress.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import type { GivenHistory } from "./next-history.ts";

/** The options for the providers of next edits. */
export interface NextChoices {
  readonly model: readonly string[] | undefined;
  readonly eagerness: string | undefined;
  /** The name of the prompt format for the model. */
  readonly format: string | undefined;
  readonly trust: boolean;
  readonly json: boolean;
  /** Whether all edits of a change are wanted, in whatever number of files. */
  readonly chain?: boolean;
  /** Whether all places are wanted. */
  readonly all?: boolean;
}

/**
 * The most files that are searched where all edits are wanted: more than a person looks through.
 */
const maxSimilarFiles = 2_000;

/** An open workspace in which next edits are suggested. */
export interface OpenNext extends AsyncDisposable {
  readonly workspace: NextEditWorkspace;
  /** Problems that do not stop the work, one line each; later ones go to standard error. */
  readonly notes: readonly string[];
  /**
   * Reads the access rules of a file that is opened by name, and the targets of its links;
   * `judgedAs` is the path as typed.
   */
  prepare(path: string, judgedAs?: string): Promise<void>;
}

/**
 * Opens a workspace for next edits, and waits until it is read. With `follower`, changes on the
 * disk are watched and count as edits of the person. The caller disposes of the result. `root` is
 * an absolute folder, links resolved.
 *
 * Throws a {@link CommandFailure} where a name of `--model` is malformed, and with code `no-model`
 * where none of these models can be opened. Rejects with the signal's reason on abort.
 */
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
    const settings = await loadNextEditSettings(
      { ...source, openModel: (name, one) => models.open(name, one) },
      { root, editor: undefined },
    );
    closing.push(() => settings[Symbol.dispose]());
    if (choices.model !== undefined && settings.model === undefined) {
      const message = `${settings.modelIssues.join(" ")} Name another one with --model, or none.`.trim();
      throw new CommandFailure("no-model", message, { exitCode: exitCodes.failed });
    }
    const notes = [...settings.issues, ...settings.modelIssues];
    let isOpen = false;
    const rules = new AccessRules({ fileSystem: blockingDisk, root });
    const judged = new Map<string, string>();
    const workspace = new NextEditWorkspace({
      ...{ root, fileSystem: follower === undefined ? blockingDisk : disk, clock: waitingClock, syntax },
      ...{ settings: settings.settings, isTrusted: settings.isTrusted ?? false },
      ...(settings.model && { model: settings.model }),
      ...((choices.chain === true || choices.all === true) && { maxSimilarFiles }),
      isForOneRequest: follower === undefined && choices.chain !== true,
      ...(follower && { follower, watch: watchDisk, diskChanges: "person" }),
      accessByName: (path) => {
        const judgedAs = judged.get(path);
        return judgedAs === undefined ? { kind: "allowed" } : rules.verdict(judgedAs);
      },
      yieldThread: () => new Promise((resolve) => setImmediate(resolve)),
      onProblem: (message) => {
        if (isOpen && !choices.json) terminal.err(`${printable(message)}\n`);
        else notes.push(message);
      },
    });
    closing.push(() => workspace[Symbol.asyncDispose]());
    const showing = setInterval(() => activity.show(`Reading: ${countText(workspace.size, "file")}`), 100);
    try {
      await raceAbort(workspace.ready, signal);
    } finally {
      clearInterval(showing);
      activity[Symbol.dispose]();
    }
    isOpen = true;
    if (!choices.json) for (const note of notes) terminal.err(`${printable(note)}\n`);
    const prepare = async (path: string, judgedAs = path) => {
      await rules.prepare(judgedAs);
      judged.set(path, judgedAs);
    };
    return { workspace, notes, prepare, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Replays recent edits in an open workspace, in their order, as if they were made in an editor:
 * they become its edit history, and their files are the ones viewed last.
 */
export function replayHistory(workspace: NextEditWorkspace, { moves, edits }: GivenHistory): void {
  // The workspace has them at their new paths already.
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

/**
 * The request for the next edit at a place. `offset` is in UTF-16 code units; one behind the end of
 * the text becomes its end.
 */
export function nextRequest(
  workspace: NextEditWorkspace,
  {
    root,
    path,
    offset,
    trigger,
    isExhaustive = false,
  }: {
    readonly root: string;
    readonly path: string;
    readonly offset: number;
    readonly trigger: NextEditRequest["trigger"];
    readonly isExhaustive?: boolean;
  },
): NextEditRequest {
  const text = workspace.files.textOf(path) ?? "";
  const uri = pathToFileURL(joinPath(root, path)).href;
  const document = { uri, language: workspace.files.languageOf(path), version: 1, text };
  return { document, path, offset: Math.min(offset, text.length), trigger, isExhaustive };
}

/** The options as settings; invalid values are reported like those of any setting. */
export function flagsOf({
  eagerness,
  format,
}: Partial<Pick<NextChoices, "eagerness" | "format">>): readonly FlagSetting[] {
  return [
    ...(eagerness === undefined ? [] : [{ flag: "--eagerness", path: ["next", "eagerness"], value: eagerness }]),
    ...(format === undefined ? [] : [{ flag: "--format", path: ["next", "format"], value: format }]),
  ];
}
