import type { ComponentChildren, JSX } from "preact";
import { PathText } from "../look/path-text.tsx";
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
      <h3 class="diff-path">
        {pathBefore !== undefined && (
          <>
            <PathText path={pathBefore} /> <span class="dim">→ </span>
          </>
        )}
        <PathText path={path} />
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
    <span class="diff-counts" role="img" aria-label={`${countOf(added)} added, ${countOf(removed)} removed`}>
      <span class="come">+{added}</span> <span class="go">−{removed}</span>
    </span>
  );
}

function countOf(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}
