import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  detectVerifierFormat,
  type Finding,
  isAboutVerifiers,
  locateFindings,
  type PlanSeed,
  verifierFormat,
  verifierFormatNames,
} from "../../plan/index.ts";
import { pathsOfSeeds } from "../../plan/node/index.ts";
import { tryRelativePath } from "../../workspace/index.ts";
import { toPortablePath } from "../../workspace/node/index.ts";
import { readAnswerText } from "../edit/chat-answer.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { countText } from "../terminal/print-amount.ts";
import { walkFiles } from "../walk-files.ts";
import type { PlanOutside } from "./plan-reporter.ts";
import type { FoundSeeds, SeedOutside } from "./plan-seeds.ts";

/**
 * The seeds of a plan that begins with the diagnostics of its verification commands. Throws a
 * {@link CommandFailure} with code `usage` where there is no such command. Rejects with the
 * signal's reason on abort.
 */
export async function seedsOfVerifiers(
  { root, verifiers }: { readonly root: string; readonly verifiers: readonly string[] },
  outside: PlanOutside,
): Promise<FoundSeeds> {
  if (verifiers.length === 0) {
    const message = "--fix needs a verification command: emend plan --fix --verify 'npx tsc --noEmit'.";
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  const seeds: readonly PlanSeed[] = [{ kind: "findings" }];
  return { seeds, paths: await pathsBehind(seeds, root, outside), start: [], left: [], notes: [] };
}

/**
 * The seeds of a plan that begins with the errors in a saved output: `FILE` or `-`, optionally
 * after the name of its format and a colon. Throws a {@link CommandFailure} where it contains no
 * error, or none of a file of the workspace.
 */
export async function seedsOfOutput(typed: string, root: string, outside: SeedOutside): Promise<FoundSeeds> {
  const [, named, rest] = /^([a-z]+):(.+)$/s.exec(typed) ?? [];
  const format = verifierFormatNames.find((name) => name === named);
  const file = format === undefined ? typed : rest!;
  const output = await readAnswerText(file, outside);
  const by = file === "-" ? "standard input" : file;
  const reader = format === undefined ? detectVerifierFormat("", output) : verifierFormat(format);
  const isFile = (path: string) => existsSync(join(root, path));
  const ground = { roots: [root], folder: tryRelativePath(root, toPortablePath(outside.workingFolder)) ?? "", isFile };
  const errors = locateFindings(reader.read(output).findings, ground).filter(({ severity }) => severity === "error");
  if (errors.length === 0) {
    const names = verifierFormatNames.filter((name) => name !== "exit" && name !== "mixed").join(", ");
    const message = `No error was found in ${by}. Name its format, such as --findings tsc:${file}; there are ${names}.`;
    throw new CommandFailure("no-findings", message, { exitCode: exitCodes.usage });
  }
  const isKnown = ({ path }: Finding) => path !== undefined && isFile(path);
  const findings = errors.filter(isKnown);
  if (findings.length === 0) {
    const message = `${by} names no file in ${root}, but ${errors[0]!.path ?? "no file at all"}. Run it in this workspace, or name the other one with --workspace.`;
    throw new CommandFailure("no-findings", message, { exitCode: exitCodes.usage });
  }
  const others = errors.length - findings.length;
  const notes =
    others === 0 ? [] : [`Left out, because they name no file here: ${countText(others, "error")} of ${by}.`];
  const seeds: readonly PlanSeed[] = [{ kind: "findings", given: { source: by, findings } }];
  return { seeds, paths: pathsOfSeeds(seeds), start: [], left: [], notes };
}

/**
 * The files that a plan refers to at first: those of its seeds, or all where verification commands
 * may name any. Rejects as {@link walkFiles} does.
 */
export async function pathsBehind(
  seeds: readonly PlanSeed[],
  root: string,
  outside: Pick<PlanOutside, "signal">,
): Promise<string[]> {
  if (!isAboutVerifiers(seeds)) return [...pathsOfSeeds(seeds)];
  const { files } = await walkFiles(root, outside, () => undefined);
  return [...files.keys()];
}
