import type { EditEngineParts, EditFormatter, EditRequest, RegionGuidance } from "../../edit/index.ts";
import { findFormatter, projectFormatter, readEditFiles, verifyOnDisk } from "../../edit/node/index.ts";
import type { EditSettings } from "../../server/session/index.ts";
import { joinPath } from "../../workspace/index.ts";
import { journalOf } from "../state-folder.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import type { ReviewOptions } from "./review-edit.ts";

/** The options of `emend edit`. */
export interface EditOptions extends ReviewOptions {
  /** The instruction; `-` reads it from standard input. */
  readonly message: string | undefined;
  /** Files that are shown to the model but not changed. */
  readonly read: readonly string[] | undefined;
  /** The workspace; that of the first file by default. */
  readonly root: string | undefined;
  /** The models in order of preference; they override the configuration. */
  readonly model: readonly string[] | undefined;
  readonly format: string | undefined;
  readonly maxRetries: number | undefined;
  /** The verification command; `false` for none, overriding the configuration. */
  readonly verify: string | false | undefined;
  /** Whether the project's formatter may be used. */
  readonly formatter: boolean;
  /** Whether the person trusts the workspace: its configuration, and its formatter. */
  readonly trust: boolean;
  /** Print the prompt for any chat instead of requesting a model. */
  readonly prompt: boolean;
  /** Copy the prompt to the clipboard instead of printing it. */
  readonly copy: boolean;
  /** The file with a chat's answer, or `-` for standard input. */
  readonly answer: string | undefined;
  /**
   * The regions to rewrite, as typed; nothing else is changed. Without them, all of the files may
   * be changed.
   */
  readonly at: readonly string[] | undefined;
  /** Whether the new text of regions is constrained by the grammar. */
  readonly guide: RegionGuidance;
  /** Print the refused answers too. */
  readonly explain: boolean;
}

/** An instruction with its workspace, settings and options. */
export interface EditTask {
  readonly request: EditRequest;
  readonly root: string;
  readonly settings: EditSettings;
  /** Notes to print with the outcome, one line each. */
  readonly notes: readonly string[];
  readonly options: EditOptions;
}

/** What the edit engine takes from the disk, and notes about it. */
export interface EditOutside {
  readonly parts: Pick<EditEngineParts, "verify" | "formatter" | "textNow">;
  readonly notes: readonly string[];
}

/**
 * What the edit engine takes from the disk: the current texts of files, the verification command,
 * and the project's formatter where the workspace is trusted, otherwise a note where it has one
 * that is not turned off. The command is printed on standard error, unless `--json` is given, and
 * does not run yet. Files that cannot be read count as missing while a formatter is looked for.
 */
export async function editOutside(task: EditTask, terminal: Terminal): Promise<EditOutside> {
  const { root, settings, options } = task;
  const { verify: command } = settings;
  if (command !== undefined && !options.json) {
    terminal.err(`Each change is verified by \`${printable(command)}\`, which runs with the files changed.\n`);
  }
  const { formatter, note } = await formatterFor(task);
  return {
    parts: {
      textNow: async (path) => (await readEditFiles(root, [path])).files[0]?.text,
      ...(formatter && { formatter }),
      ...(command !== undefined && { verify: verifyOnDisk(root, command, { journal: journalOf(terminal) }) }),
    },
    notes: note === undefined ? [] : [note],
  };
}

/**
 * The project's formatter, if the workspace is trusted; otherwise a note where there is a
 * formatter.
 */
async function formatterFor({
  root,
  settings,
  request,
}: EditTask): Promise<{ readonly formatter?: EditFormatter; readonly note?: string }> {
  if (settings.formatter === "off") return {};
  if (settings.isTrusted) return { formatter: projectFormatter({ root, isTrusted: true }) };
  for (const { path } of request.files) {
    const found = await findFormatter(root, joinPath(root, path));
    if (found === undefined) continue;
    const note = `${found.name} does not format the change, because this workspace is not trusted. Allow it with --trust, or use --no-formatter.`;
    return { note };
  }
  return {};
}
