import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useMemo } from "preact/hooks";
import type { DiffRow } from "./file-diff.ts";
import { areColoursLoaded, languageOfPath, tokensOfRows } from "./highlight.ts";
import { type LinePiece, piecesOf } from "./line-pieces.ts";
import "./diff.css";

const marks = { keep: " ", delete: "−", insert: "+" } as const;
const words = { keep: "unchanged", delete: "removed", insert: "added" } as const;

/** Rows of one file, with line numbers; `caret` is the row that the model is writing. */
export function DiffRows({
  path,
  rows,
  caret,
}: {
  readonly path: string;
  readonly rows: readonly DiffRow[];
  readonly caret?: DiffRow | undefined;
}): JSX.Element {
  const language = useMemo(() => languageOfPath(path), [path]);
  const isLoaded = areColoursLoaded(language).value;
  const tokens = useMemo(() => (isLoaded ? tokensOfRows(rows, language) : []), [rows, language, isLoaded]);
  return (
    <div class="diff-rows code">
      {rows.map((row, at) => {
        const pieces = piecesOf(row.text, tokens[at] ?? [], row.changed);
        return <Row key={keyOf(row)} row={row} pieces={pieces} isCaret={row === caret} />;
      })}
    </div>
  );
}

interface RowProps {
  readonly row: DiffRow;
  readonly pieces: readonly LinePiece[];
  readonly isCaret: boolean;
}

const Row = memo(
  ({ row, pieces, isCaret }: RowProps) => (
    <div class={`diff-row ${row.kind}${isCaret ? " writing" : ""}`}>
      <span class="diff-number">{row.before}</span>
      <span class="diff-number">{row.after}</span>
      <span class="diff-mark" role="img" aria-hidden={row.kind === "keep"} aria-label={words[row.kind]}>
        {marks[row.kind]}
      </span>
      <span class="diff-text">
        {pieces.map(({ text, kind, isChanged }) => {
          const look = `${kind === "plain" ? "" : `token-${kind}`}${isChanged ? " changed-word" : ""}`;
          return look === "" ? text : <span class={look}>{text}</span>;
        })}
        {isCaret && <span class="diff-caret" />}
        {row.note !== undefined && <span class="diff-note">{row.note}</span>}
      </span>
    </div>
  ),
  (before, after) => before.isCaret === after.isCaret && isSame(before, after),
);

function keyOf({ kind, before, after }: DiffRow): string {
  return `${kind}${before ?? ""}:${after ?? ""}`;
}

/** Compares by content, because a streamed diff has new row objects at each update. */
function isSame(a: RowProps, b: RowProps): boolean {
  const { row: one, pieces } = a;
  const { row: other } = b;
  if (one.kind !== other.kind || one.before !== other.before || one.after !== other.after || one.note !== other.note)
    return false;
  return (
    pieces.length === b.pieces.length &&
    pieces.every(({ text, kind, isChanged }, at) => {
      const piece = b.pieces[at]!;
      return text === piece.text && kind === piece.kind && isChanged === piece.isChanged;
    })
  );
}
