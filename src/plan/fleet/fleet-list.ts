/** The repositories of a list file, and the lines with errors. */
export interface FleetList {
  readonly repositories: readonly ListedRepository[];
  readonly issues: readonly FleetListIssue[];
}

/** A repository in a list. */
export interface ListedRepository {
  /** The number of the line, from 1. */
  readonly line: number;
  readonly kind: "folder" | "url";
  /** A folder, relative to the list's folder or absolute, or the URL that git clones from. */
  readonly place: string;
}

/** An invalid line. */
export interface FleetListIssue {
  /** The number of the line, from 1. */
  readonly line: number;
  /** A sentence for people with the problem and its remedy. */
  readonly message: string;
}

/**
 * Parses a list of repositories: one folder or URL on each line. Blank lines are skipped, and so is
 * a comment: `#` at the start of a line or after white space, and what follows. Never throws: an
 * invalid place, and one that is listed already, is one of the `issues`.
 */
export function parseFleetList(text: string): FleetList {
  const repositories: ListedRepository[] = [];
  const issues: FleetListIssue[] = [];
  const lines = new Map<string, number>();
  for (const [index, fullLine] of text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    const place = fullLine.split(/(?:^|\s)#/, 1)[0]!.trim();
    if (place === "") continue;
    const kind = isUrl(place) ? "url" : "folder";
    const before = lines.get(nameOf(place));
    const message =
      before === undefined
        ? whyNone(place, kind)
        : `${place} is already on line ${before}. Remove one of the two lines: two plans for one repository would conflict.`;
    if (message !== undefined) {
      issues.push({ line, message });
      continue;
    }
    lines.set(nameOf(place), line);
    repositories.push({ line, kind, place });
  }
  return { repositories, issues };
}

/** The last part of a repository's place without `.git`: `api` for `https://host/team/api.git`. */
export function shortNameOf({ place }: Pick<ListedRepository, "place">): string {
  return /(?<![^/\\:])([^/\\:]+?)(\.git)?[/\\]*$/.exec(place)?.[1] ?? place;
}

/**
 * Whether git would clone a place from a URL: `https://host/x`, or `host:x` as for `scp`. A single
 * letter and a colon is a drive.
 */
function isUrl(place: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(place) || /^([\w.-]+@)?[\w.-]{2,}:(?!:)[^\\]/.test(place);
}

function whyNone(place: string, kind: ListedRepository["kind"]): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
  if (/[\u0000-\u001f\u007f]/.test(place)) {
    return "The line contains a control character. Write the path of a folder, or the URL of a repository.";
  }
  if (/^[\w-]+::/.test(place)) return `${place} makes git run a program. Clone it yourself and name the folder.`;
  if (kind === "url" && !/^[a-z][a-z\d+.-]*:\/\/[^/]*\/.|^[^/]*:[^/]|^[^/]*:\/[^/]/i.test(place))
    return `${place} names no repository. Write for example https://host/team/project.git.`;
  if (kind === "folder" && place.startsWith("~"))
    return `${place} begins with ~, which only a shell expands. Write the full path of the folder, or its path from the folder of this file.`;
  return undefined;
}

/** The normalized form of a place; equal forms are the same repository. */
function nameOf(place: string): string {
  const name = place.replace(/^\.\//, "");
  let end = name.length;
  while (name.endsWith("/", end) || name.endsWith("/.", end)) end -= name[end - 1] === "/" ? 1 : 2;
  return end > 0 ? name.slice(0, end) : name;
}
