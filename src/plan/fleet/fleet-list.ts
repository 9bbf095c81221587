/** A list of repositories as a file says it, and what is wrong with it. */
export interface FleetList {
  readonly repositories: readonly ListedRepository[];
  readonly issues: readonly FleetListIssue[];
}

/** A repository as somebody wrote it down. */
export interface ListedRepository {
  /** From 1. */
  readonly line: number;
  readonly kind: "folder" | "url";
  /** A folder, from where the list lies, or what git clones from. */
  readonly place: string;
}

/** A line that names no repository. */
export interface FleetListIssue {
  /** From 1. */
  readonly line: number;
  /** A sentence that says what to do. */
  readonly message: string;
}

/**
 * Reads a list of repositories: a folder or the URL of a repository on each line. Blank lines say nothing, nor does what stands behind a `#` at the
 * start of a line or behind white space.
 */
export function parseFleetList(text: string): FleetList {
  const repositories: ListedRepository[] = [];
  const issues: FleetListIssue[] = [];
  const lines = new Map<string, number>();
  for (const [index, whole] of text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    const place = whole.replace(/(^|\s)#.*$/, "").trim();
    if (place === "") continue;
    const kind = isUrl(place) ? "url" : "folder";
    const before = lines.get(nameOf(place));
    const message =
      before === undefined
        ? whyNone(place, kind)
        : `${place} stands on line ${before} already. Leave one of them out: two plans would be in each other's way.`;
    if (message !== undefined) {
      issues.push({ line, message });
      continue;
    }
    lines.set(nameOf(place), line);
    repositories.push({ line, kind, place });
  }
  return { repositories, issues };
}

/** The last part of a repository's place, as people call it: `api` of `https://host/team/api.git`. */
export function shortNameOf({ place }: Pick<ListedRepository, "place">): string {
  return /([^/\\:]+?)(\.git)?[/\\]*$/.exec(place)?.[1] ?? place;
}

/** Whether git would go somewhere else for it: `https://host/x`, or `host:x` as `scp` writes it. A letter and a colon is a drive. */
function isUrl(place: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(place) || /^([\w.-]+@)?[\w.-]{2,}:(?!:)[^\\]/.test(place);
}

function whyNone(place: string, kind: ListedRepository["kind"]): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
  if (/[\u0000-\u001f\u007f]/.test(place)) {
    return "It holds a control character. Write the path of a folder, or the URL of a repository.";
  }
  if (/^[\w-]+::/.test(place)) return `${place} has git run a program. Clone it by hand, and name the folder.`;
  if (kind === "url" && !/^[a-z][a-z\d+.-]*:\/\/[^/]*\/.|^[^/]*:[^/]|^[^/]*:\/[^/]/i.test(place))
    return `${place} names no repository. Write for example https://host/team/project.git.`;
  if (kind === "folder" && place.startsWith("~"))
    return `${place} is for a shell to read. Write the path of the folder in full, or from the folder of this file.`;
  return undefined;
}

/** Places that are called the same are the same. */
function nameOf(place: string): string {
  return place.replace(/^\.\//, "").replace(/(?<=[^/])(\/\.?)+$/, "");
}
