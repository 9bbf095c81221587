import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { rowsAround } from "./caret-row.ts";
import { DiffRows } from "./diff-rows.tsx";
import type { FileDiff } from "./file-diff.ts";
import { FileHeading } from "./file-heading.tsx";

/** So many rows of a file are drawn before somebody asks for more. */
const firstRows = 400;

/** A switch that takes a file's hunks, or leaves them out. */
export interface HunkSwitch {
  isTaken(hunk: number): boolean;
  take(hunks: readonly number[], taken: boolean): void;
  /** Whether hunks are taken one by one. */
  readonly isSplittable: boolean;
}

/** What becomes of a file, hunk by hunk; with switches where the person may choose. */
export function FileChange({
  diff,
  choice,
  actions,
}: {
  readonly diff: FileDiff;
  readonly choice?: HunkSwitch | undefined;
  readonly actions?: ComponentChildren;
}): JSX.Element {
  const [most, setMost] = useState(firstRows);
  const { hunks, path } = diff;
  const all = hunks.reduce((sum, { rows }) => sum + rows.length, 0);
  const canSplit = choice?.isSplittable === true && hunks.length > 1;
  return (
    <article class="diff-file" aria-label={`Change of ${path}`}>
      <FileHeading diff={diff}>
        {actions}
        {choice && <FileSwitch diff={diff} choice={choice} />}
      </FileHeading>
      {diff.isBinary && <p class="diff-empty dim">A binary file, which cannot be shown.</p>}
      {hunks.length === 0 && !diff.isBinary && <p class="diff-empty dim">Its text stays as it is.</p>}
      {rowsAround(hunks, most).map(({ hunk, start, end }) => {
        const { rows } = hunks[hunk]!;
        const taken = choice?.isTaken(canSplit ? hunk : 0) ?? true;
        return (
          <section key={hunk} class={`diff-hunk${taken ? "" : " left-out"}`}>
            {(canSplit || hunk > 0) && (
              <div class="diff-gap">
                <span class="dim">{placeOf(hunks[hunk]!.before)}</span>
                {canSplit && (
                  <label class="diff-switch">
                    <input
                      type="checkbox"
                      checked={taken}
                      onChange={({ currentTarget }) => choice.take([hunk], currentTarget.checked)}
                    />
                    Take this place
                  </label>
                )}
              </div>
            )}
            <DiffRows path={path} rows={start === 0 && end === rows.length ? rows : rows.slice(start, end)} />
          </section>
        );
      })}
      {all > most && (
        <button type="button" class="button quiet diff-more" onClick={() => setMost(most * 4)}>
          Show more of {all - most} further rows
        </button>
      )}
    </article>
  );
}

function FileSwitch({ diff, choice }: { readonly diff: FileDiff; readonly choice: HunkSwitch }): JSX.Element {
  const hunks = choice.isSplittable ? diff.hunks.map((_, hunk) => hunk) : [0];
  const taken = hunks.filter((hunk) => choice.isTaken(hunk)).length;
  return (
    <label class="diff-switch">
      <input
        type="checkbox"
        checked={taken > 0}
        ref={(box) => {
          if (box) box.indeterminate = taken > 0 && taken < hunks.length;
        }}
        onChange={() => choice.take(hunks, taken < hunks.length)}
      />
      Take this file
    </label>
  );
}

function placeOf({ start, end }: { readonly start: number; readonly end: number }): string {
  if (end <= start) return `behind line ${start}`;
  return end - start === 1 ? `line ${start + 1}` : `lines ${start + 1} to ${end}`;
}
