import type { Position, Range } from "vscode-languageserver-protocol";
import { monaco } from "./monaco.ts";

/** Positions of the protocol count from 0, those of Monaco from 1; both count UTF-16 units. */
export function toMonacoRange({ start, end }: Range): monaco.Range {
  return new monaco.Range(start.line + 1, start.character + 1, end.line + 1, end.character + 1);
}

/** See {@link toMonacoRange}. */
export function fromMonacoRange(range: monaco.IRange): Range {
  return {
    start: { line: range.startLineNumber - 1, character: range.startColumn - 1 },
    end: { line: range.endLineNumber - 1, character: range.endColumn - 1 },
  };
}

/** See {@link toMonacoRange}. */
export function fromMonacoPosition({ lineNumber, column }: monaco.IPosition): Position {
  return { line: lineNumber - 1, character: column - 1 };
}
