import { isTrustedWorkspace, userConfigFolder } from "../../config/index.ts";
import type { TrustReport } from "../../server/index.ts";
import { disk } from "../../workspace/node/index.ts";
import { openRoot } from "../open-file.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { trustFolder, untrustFolder } from "./settings-file.ts";

/** The options of `emend trust`. */
export interface TrustOptions {
  /** Whether the folder is taken out of the trusted ones. */
  readonly remove: boolean;
  readonly json: boolean;
}

/**
 * Runs `emend trust [DIR]`: adds the workspace to the trusted folders of the user's own settings
 * file, or takes it out. The exit code is `notWritten` where the file is code, and where a folder
 * is taken out that another setting trusts.
 *
 * Throws a `CommandFailure` where there is no such folder, or the file is broken or cannot be
 * written.
 */
export async function trust(folder: string | undefined, options: TrustOptions, terminal: Terminal): Promise<ExitCode> {
  const root = await openRoot({ workspace: folder, workingFolder: terminal.workingFolder, fileSystem: disk });
  const userFolder = userConfigFolder();
  // What only a variable trusts is not trusted permanently.
  const environment = options.remove ? terminal.environment : { ...terminal.environment, EMEND_TRUST: undefined };
  const isTrusted = () => isTrustedWorkspace({ root, userFolder, environment, fileSystem: disk });
  const report: TrustReport | UntrustReport = options.remove
    ? await untrust(root, userFolder, isTrusted)
    : (await isTrusted())
      ? { kind: "already-trusted" }
      : await trustFolder(root, { userFolder });
  terminal.out(options.json ? jsonLine({ root, ...report }, terminal) : `${printable(sentenceFor(root, report))}\n`);
  return report.kind === "by-hand" || report.kind === "still-trusted" ? exitCodes.notWritten : exitCodes.done;
}

/** The result of `--remove`. */
type UntrustReport =
  | { readonly kind: "removed"; readonly file: string }
  | { readonly kind: "not-trusted" }
  /** By a folder above it, a variable, or a file that is code. */
  | { readonly kind: "still-trusted" };

async function untrust(root: string, userFolder: string, isTrusted: () => Promise<boolean>): Promise<UntrustReport> {
  const file = await untrustFolder(root, { userFolder });
  if (await isTrusted()) return { kind: "still-trusted" };
  return file === undefined ? { kind: "not-trusted" } : { kind: "removed", file };
}

function sentenceFor(root: string, report: TrustReport | UntrustReport): string {
  switch (report.kind) {
    case "trusted":
      return `${root} is trusted now with all folders in it, by ${report.file}: their settings may choose the servers that get your code, and run commands on this machine. \`emend trust --remove\` ends that.`;
    case "already-trusted":
      return `${root} is trusted already.`;
    case "by-hand":
      return `${report.file} is code and is not edited. Add ${report.line}`;
    case "removed":
      return `${root} is not trusted any more: it was taken out of ${report.file}.`;
    case "not-trusted":
      return `${root} is not trusted.`;
    case "still-trusted":
      return `${root} is still trusted, by EMEND_TRUST or by \`trust\` in your own file, which names a folder above it or is code. \`emend config\` prints where.`;
  }
}
