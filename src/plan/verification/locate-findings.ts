import { joinPath, tryRelativePath } from "../../workspace/index.ts";
import type { Finding } from "./finding.ts";

/** Where a verification command ran, as portable absolute paths. */
export interface VerifierGround {
  /** The workspace's root by each of its paths: tools may resolve links. */
  readonly roots: readonly string[];
  /** The working folder of the command, relative to the root; default: the root. */
  readonly folder?: string;
  /**
   * Whether a path, relative to the root, is a file of the workspace; decides about paths in other
   * forms.
   */
  readonly isFile?: (path: string) => boolean;
}

/**
 * Converts the paths of findings to paths relative to the workspace's root, with `/`. Paths outside
 * it become absolute.
 *
 * Tools print absolute paths, paths relative to their working folder, and paths that begin with a
 * module's name (`example.com/sums/a_test.go`); of the last, the longest ending that is a file is
 * used.
 */
export function locateFindings(findings: readonly Finding[], ground: VerifierGround): readonly Finding[] {
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

function locatePath(printedPath: string, { roots, folder = "", isFile }: VerifierGround): string {
  const path = printedPath.replaceAll("\\", "/").replace(/^file:\/\/(?=\/)/, "");
  if (/^(\/|[A-Za-z]:\/)/.test(path)) {
    const absolute = normal(path);
    for (const root of roots) {
      const inside = tryRelativePath(root, absolute) ?? tryRelativePath(root.toLowerCase(), absolute.toLowerCase());
      // A difference in case only is that of a drive's letter or of a case-insensitive disk.
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

/** A path without `.`, `..` and repeated slashes. */
function normal(path: string): string {
  const kept: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") kept.pop();
    else if (name !== "." && name !== "") kept.push(name);
  }
  return `${path.startsWith("/") ? "/" : ""}${kept.join("/")}`;
}
