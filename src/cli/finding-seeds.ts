import { existsSync } from "node:fs";
import { join } from "node:path";
import { tryRelativePath } from "../codebase/index.ts";
import { toPortablePath } from "../codebase/node/index.ts";
import {
  detectOracleFormat,
  type Finding,
  isAboutOracles,
  locateFindings,
  oracleFormat,
  oracleFormatNames,
  type PlanSeed,
} from "../plan/index.ts";
import { pathsOfSeeds } from "../plan/node/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import type { FoundSeeds, SeedOutside } from "./plan-seeds.ts";
import type { PlanOutside } from "./plan-teller.ts";
import { countText } from "./print-amount.ts";
import { readAnswerText } from "./read-answer-text.ts";
import { walkFiles } from "./walk-files.ts";

/** A plan that begins with all that its oracles have to say. */
export async function seedsOfOracles(
  { root, oracles }: { readonly root: string; readonly oracles: readonly string[] },
  outside: PlanOutside,
): Promise<FoundSeeds> {
  if (oracles.length === 0) {
    const message = "Say who finds what is to be fixed: emend plan --fix --oracle 'npx tsc --noEmit'.";
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  const seeds: readonly PlanSeed[] = [{ kind: "findings" }];
  return { seeds, paths: await pathsBehind(seeds, root, outside), start: [], left: [], notes: [] };
}

/**
 * A plan that begins with the errors in an output that was kept, `FILE` or `-`, after the name of its format and a colon where that
 * is to be told. Throws a {@link CommandFailure} where no error can be read in it, or none of a file of the workspace.
 */
export async function seedsOfOutput(typed: string, root: string, outside: SeedOutside): Promise<FoundSeeds> {
  const [, named, rest] = /^([a-z]+):(.+)$/s.exec(typed) ?? [];
  const format = oracleFormatNames.find((name) => name === named);
  const file = format === undefined ? typed : rest!;
  const output = await readAnswerText(file, outside);
  const by = file === "-" ? "standard input" : file;
  const reader = format === undefined ? detectOracleFormat("", output) : oracleFormat(format);
  const isFile = (path: string) => existsSync(join(root, path));
  const ground = { roots: [root], folder: tryRelativePath(root, toPortablePath(outside.workingFolder)) ?? "", isFile };
  const errors = locateFindings(reader.read(output).findings, ground).filter(({ severity }) => severity === "error");
  if (errors.length === 0) {
    const names = oracleFormatNames.filter((name) => name !== "exit" && name !== "mixed").join(", ");
    const message = `No error can be read in ${by}. Say how it is to be read, such as --findings tsc:${file}; there are ${names}.`;
    throw new CommandFailure("no-findings", message, { exitCode: exitCodes.usage });
  }
  const isKnown = ({ path }: Finding) => path !== undefined && isFile(path);
  const findings = errors.filter(isKnown);
  if (findings.length === 0) {
    const message = `${by} speaks of no file in ${root}, but of ${errors[0]!.path ?? "no file at all"}. Run it for this workspace, or name the other one with --workspace.`;
    throw new CommandFailure("no-findings", message, { exitCode: exitCodes.usage });
  }
  const others = errors.length - findings.length;
  const notes = others === 0 ? [] : [`Left out, since no file here is meant: ${countText(others, "error")} of ${by}.`];
  const seeds: readonly PlanSeed[] = [{ kind: "findings", said: { by, findings } }];
  return { seeds, paths: pathsOfSeeds(seeds), start: [], left: [], notes };
}

/** The files that a plan speaks of at first: those of its seeds, or all where its oracles may name any. */
export async function pathsBehind(
  seeds: readonly PlanSeed[],
  root: string,
  outside: Pick<PlanOutside, "signal">,
): Promise<string[]> {
  if (!isAboutOracles(seeds)) return [...pathsOfSeeds(seeds)];
  const { files } = await walkFiles(root, outside, () => undefined);
  return [...files.keys()];
}
