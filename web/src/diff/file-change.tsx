import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { rowsAround } from "./caret-row.ts";
import { DiffRows } from "./diff-rows.tsx";
import type { FileDiff } from "./file-diff.ts";
import { FileHeading } from "./file-heading.tsx";

/** The number of rows shown at first. */
const firstRows = 400;

/** Selects or deselects the hunks of a file. */
export interface HunkSwitch {
  isTaken(hunk: number): boolean;
  take(hunks: readonly number[], taken: boolean): void;
  /** Whether single hunks can be selected. */
  readonly isSplittable: boolean;
}

/** The change of a file, hunk by hunk, with checkboxes where `choice` is given. */
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
    <article class="diff-file" aria-label={`Changes in ${path}`}>
      <FileHeading diff={diff}>
        {actions}
        {choice && <FileSwitch diff={diff} choice={choice} />}
      </FileHeading>
      {diff.isBinary && <p class="diff-empty dim">Binary file. Its content cannot be shown.</p>}
      {hunks.length === 0 && !diff.isBinary && <p class="diff-empty dim">The text is unchanged.</p>}
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
                    Include this change
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
          Show more ({all - most} rows hidden)
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
      Include file
    </label>
  );
}

function placeOf({ start, end }: { readonly start: number; readonly end: number }): string {
  if (end <= start) return `after line ${start}`;
  return end - start === 1 ? `line ${start + 1}` : `lines ${start + 1} to ${end}`;
}
