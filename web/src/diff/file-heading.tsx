import type { ComponentChildren, JSX } from "preact";
import type { FileDiff } from "./file-diff.ts";

const kinds: Readonly<Record<FileDiff["kind"], string>> = {
  modify: "",
  create: "new file",
  delete: "deleted",
  rename: "renamed",
  copy: "copied",
};

/**
 * The heading of a file's diff: path, kind of change, and the numbers of added and removed lines.
 */
export function FileHeading({
  diff,
  children,
}: {
  readonly diff: FileDiff;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { path, pathBefore, kind, added, removed } = diff;
  return (
    <header class="diff-heading">
      <h3 class="diff-path" title={path}>
        {pathBefore !== undefined && <span class="dim">{pathBefore} → </span>}
        <span class="dim">{path.slice(0, path.lastIndexOf("/") + 1)}</span>
        {path.slice(path.lastIndexOf("/") + 1)}
      </h3>
      {kinds[kind] !== "" && <span class="badge">{kinds[kind]}</span>}
      <Counts added={added} removed={removed} />
      <span class="diff-actions">{children}</span>
    </header>
  );
}

/** The numbers of added and removed lines. */
export function Counts({ added, removed }: Pick<FileDiff, "added" | "removed">): JSX.Element {
  return (
    <span class="diff-counts">
      <span class="unseen">{`${countOf(added)} added, ${countOf(removed)} removed`}</span>
      <span aria-hidden="true">
        <span class="come">+{added}</span> <span class="go">−{removed}</span>
      </span>
    </span>
  );
}

function countOf(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}
