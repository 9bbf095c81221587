import { joinPath, tryRelativePath } from "../../codebase/index.ts";
import type { Finding } from "./finding.ts";

/** Where an oracle ran, as portable absolute paths. */
export interface OracleGround {
  /** The workspace's root, by each of its names: tools may resolve links. */
  readonly roots: readonly string[];
  /** The folder that the command ran in, from the root; the root itself unless told. */
  readonly folder?: string;
  /** Whether there is such a file in the workspace; asked for paths that a tool wrote in a way of its own. */
  readonly isFile?: (path: string) => boolean;
}

/**
 * Gives findings the paths of their workspace: from its root, with `/`. What lies outside keeps its absolute path.
 *
 * Tools write absolute paths, paths from where they ran, and paths with the name of a module in front
 * (`example.com/sums/a_test.go`); of those the longest ending that is a file is taken.
 */
export function locateFindings(findings: readonly Finding[], ground: OracleGround): readonly Finding[] {
  const known = new Map<string, string>();
  const locate = (path: string): string => {
    const found = known.get(path) ?? locatePath(path, ground);
    known.set(path, found);
    return found;
  };
  return findings.map((one) => ({
    ...one,
    ...(one.path !== undefined && { path: locate(one.path) }),
    ...(one.related !== undefined && { related: one.related.map((place) => ({ ...place, path: locate(place.path) })) }),
  }));
}

function locatePath(said: string, { roots, folder = "", isFile }: OracleGround): string {
  const path = said.replaceAll("\\", "/").replace(/^file:\/\/(?=\/)/, "");
  if (/^(\/|[A-Za-z]:\/)/.test(path)) {
    const absolute = normal(path);
    for (const root of roots) {
      const inside = tryRelativePath(root, absolute) ?? tryRelativePath(root.toLowerCase(), absolute.toLowerCase());
      // Where only the case differs, it is the drive's letter or a disk to which it makes no difference.
      if (inside !== undefined && isSameDrive(root, absolute)) return absolute.slice(absolute.length - inside.length);
    }
    return absolute;
  }
  const [root = "/"] = roots;
  const absolute = normal(joinPath(joinPath(root, folder), path));
  const inside = tryRelativePath(root, absolute);
  if (inside === undefined) return absolute;
  if (isFile === undefined || isFile(inside)) return inside;
  const names = normal(path).split("/");
  for (let skipped = 0; skipped < names.length; skipped += 1) {
    const ending = names.slice(skipped).join("/");
    if (ending !== inside && isFile(ending)) return ending;
  }
  return inside;
}

function isSameDrive(root: string, absolute: string): boolean {
  return /^[A-Za-z]:/.test(root) || absolute.startsWith(root);
}

/** A path without `.`, `..` and doubled slashes. */
function normal(path: string): string {
  const kept: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") kept.pop();
    else if (name !== "." && name !== "") kept.push(name);
  }
  return `${path.startsWith("/") ? "/" : ""}${kept.join("/")}`;
}
