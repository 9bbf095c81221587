import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type ListedRepository, parseFleetList, shortNameOf } from "../../plan/index.ts";
import { decodeText } from "../../workspace/index.ts";
import { disk, gitClone, gitFolderKind, gitHead, makeFolder, toPortablePath } from "../../workspace/node/index.ts";
import { openFolder, readFileOrInput } from "../open-file.ts";
import { stateFolderOf } from "../state-folder.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import type { JobRepository } from "./plan-job.ts";

/** A repository of a fleet, resolved. */
export interface FleetRepository {
  /** Its name, unique within the fleet. */
  readonly name: string;
  readonly repository: JobRepository;
}

/**
 * Reads the list of repositories from a file, or from standard input for `-`, and resolves them.
 * URLs are cloned into a folder of `fleet` in the state folder, where they stay. Throws a {@link
 * CommandFailure} that lists all invalid lines, and where there is no repository.
 */
export async function openFleetRepositories(
  file: string,
  fleet: string,
  terminal: Terminal,
): Promise<readonly FleetRepository[]> {
  const listName = file === "-" ? "standard input" : file;
  const { repositories, issues } = parseFleetList(await readList(file, listName, terminal));
  const problems: Problem[] = issues.map(({ line, message }) => ({ line, message, exitCode: exitCodes.usage }));
  const base = file === "-" ? terminal.workingFolder : dirname(resolve(terminal.workingFolder, file));
  const found: { readonly listed: ListedRepository; readonly place: KnownPlace }[] = [];
  for (const listed of repositories) {
    const place = await findPlace(listed, base, terminal);
    if (place.kind === "missing") {
      problems.push({ line: listed.line, message: place.message, exitCode: exitCodes.notFound });
      continue;
    }
    const before = found.find((one) => one.place.path === place.path)?.listed;
    if (before !== undefined) {
      const message = `${listed.place} is the repository of line ${before.line}. Leave one of them out: two plans in one repository would conflict.`;
      problems.push({ line: listed.line, message, exitCode: exitCodes.usage });
    } else found.push({ listed, place });
  }
  throwProblems(problems, listName);
  if (found.length === 0)
    throw failure(`There is no repository in ${listName}: write a folder or the URL of a repository on each line.`);
  const names = distinctNames(found.map(({ listed }) => shortNameOf(listed)));
  const opened: FleetRepository[] = [];
  for (const [index, { listed, place }] of found.entries()) {
    const name = names[index]!;
    const folder = join(stateFolderOf(terminal), "clones", fleet, name.replace(/[^\w.-]/g, "_"));
    const repository =
      place.kind === "folder" ? { root: place.path, host: hostname() } : await clone(place.path, folder, terminal);
    if (typeof repository === "string")
      problems.push({ line: listed.line, message: repository, exitCode: exitCodes.failed });
    else opened.push({ name, repository });
  }
  throwProblems(problems, listName);
  return opened;
}

/** A folder, or a source for git clone. */
interface KnownPlace {
  readonly kind: "folder" | "clone";
  readonly path: string;
}

type FoundPlace = KnownPlace | { readonly kind: "missing"; readonly message: string };

/** An invalid line, with the reason. */
interface Problem {
  readonly line: number;
  readonly message: string;
  readonly exitCode: ExitCode;
}

async function readList(file: string, name: string, terminal: Terminal): Promise<string> {
  const decoded = decodeText(await readFileOrInput(file, terminal));
  if (decoded.kind === "text") return decoded.text;
  throw failure(
    `${name} is not a text file: ${decoded.detail}. Write a folder or the URL of a repository on each line.`,
  );
}

async function findPlace({ kind, place }: ListedRepository, base: string, terminal: Terminal): Promise<FoundPlace> {
  if (kind === "url") return { kind: "clone", path: place };
  try {
    const path = await openFolder(place, { workingFolder: base, fileSystem: disk });
    const git = await gitFolderKind(path, { signal: terminal.signal });
    // A bare repository has no files, so it is cloned.
    return { kind: git.kind === "answer" && git.value === "bare" ? "clone" : "folder", path };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const what =
      error.code === "not-a-folder" ? `${place} is not a folder.` : `There is no folder ${resolve(base, place)}.`;
    return { kind: "missing", message: `${what} Name a folder, or the URL of a repository.` };
  }
}

/** Clones a repository; returns a sentence with the reason where that fails. */
async function clone(from: string, folder: string, { signal, err }: Terminal): Promise<JobRepository | string> {
  // The user part of a URL may contain a password.
  const shown = from.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/@]*@/i, "$1");
  err(`Cloning ${printable(shown)} into ${printable(folder)}\n`);
  await makeFolder(dirname(folder), { mode: 0o700 });
  const answer = await gitClone({ from, to: folder }, { signal });
  if (answer.kind !== "answer") {
    const gitMessage =
      "message" in answer ? answer.message.split("\n").filter((row) => /fatal|error/.test(row))[0] : undefined;
    return `${shown} cannot be cloned (${gitMessage ?? answer.kind}). Try it by hand: git clone asks for no password here.`;
  }
  const root = toPortablePath(await disk.realPath(toPortablePath(folder)));
  const head = await gitHead(root, { signal });
  if (head.kind !== "answer" || head.value.kind === "unborn") return `${shown} has no commit yet.`;
  return { root, host: hostname(), clone: { from, commit: head.value.sha } };
}

/** The names, with numbers added to duplicates. */
function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name}-${number}`;
    taken.add(unique);
    return unique;
  });
}

function throwProblems(problems: readonly Problem[], listName: string): void {
  const rows = [...problems].sort((one, other) => one.line - other.line);
  const [first] = rows;
  if (first === undefined) return;
  const message = rows.map(({ line, message }) => `${listName}:${line}: ${message}`).join(" ");
  throw new CommandFailure("fleet-list", message, { exitCode: first.exitCode });
}

function failure(message: string): CommandFailure {
  return new CommandFailure("fleet-list", message, { exitCode: exitCodes.usage });
}
