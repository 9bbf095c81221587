import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { rowsAround, tryCaretRow } from "./caret-row.ts";
import { DiffRows } from "./diff-rows.tsx";
import { type FileStates, tryFileDiff } from "./file-diff.ts";
import { FileHeading } from "./file-heading.tsx";

/** The most rows shown while a model writes. */
const liveRows = 90;

/**
 * The change of a file while a model writes. `writtenLines` is the number of lines written so far,
 * if known.
 */
export function LiveChange({
  file,
  writtenLines,
}: {
  readonly file: FileStates;
  readonly writtenLines?: number | undefined;
}): JSX.Element {
  const diff = useMemo(() => tryFileDiff(file), [file]);
  const place = diff && writtenLines !== undefined ? tryCaretRow(diff, writtenLines) : undefined;
  const caret = place && diff!.hunks[place.hunk]!.rows[place.row];
  const own = useRef<HTMLElement>(null);
  useEffect(() => {
    if (caret !== undefined) followCaret(own.current);
  }, [caret]);
  if (diff === undefined) return <p class="diff-empty dim">{file.path} is unchanged.</p>;
  const shown = rowsAround(diff.hunks, liveRows, place);
  const count = diff.hunks.reduce((sum, { rows }) => sum + rows.length, 0);
  const left = count - shown.reduce((sum, { start, end }) => sum + end - start, 0);
  return (
    <article class="diff-file live" aria-label={`Changes in ${file.path} (in progress)`} ref={own}>
      <FileHeading diff={diff} />
      {left > 0 && <p class="diff-gap dim">{left} more rows are hidden while the change is written</p>}
      {shown.map(({ hunk, start, end }, at) => (
        <section key={hunk} class="diff-hunk">
          {at > 0 && <div class="diff-gap" />}
          <DiffRows path={file.path} rows={diff.hunks[hunk]!.rows.slice(start, end)} caret={caret} />
        </section>
      ))}
    </article>
  );
}

/** Scrolls to the row that the model is writing, unless the user has scrolled away. */
function followCaret(inside: HTMLElement | null): void {
  const row = inside?.querySelector(".writing");
  const frame = inside?.closest<HTMLElement>(".scroll");
  if (!row || !frame) return;
  const at = row.getBoundingClientRect();
  const seen = frame.getBoundingClientRect();
  const isNear = at.top < seen.bottom + seen.height / 2 && at.bottom > seen.top - seen.height / 2;
  if (isNear && (at.bottom > seen.bottom - 40 || at.top < seen.top)) row.scrollIntoView({ block: "center" });
}
