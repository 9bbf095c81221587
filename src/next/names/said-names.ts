import type { TextRange } from "../../text/index.ts";
import { nameWords } from "./name-parts.ts";
import type { NameTable } from "./name-table.ts";

/** Where a text says a name without naming anything: in a comment, or else in a string or between the tags of a page. */
export interface SaidName extends TextRange {
  readonly isInComment: boolean;
}

/** Whether a name is of several words, so that prose does not say it by chance. */
export function isDistinctive(name: string): boolean {
  return nameWords(name).length > 1;
}

/** All places in the text of a table where a name is said and is no name. Only {@link isDistinctive} names are told from plain words. */
export function* saidNames(text: string, table: NameTable, name: string): Generator<SaidName> {
  const { comments } = table;
  let comment = 0;
  for (let start = text.indexOf(name); start >= 0; start = text.indexOf(name, start + name.length)) {
    const end = start + name.length;
    if (isPartOfName.test(text[start - 1] ?? "") || isPartOfName.test(text[end] ?? "")) continue;
    if (table.at(start).length > 0) continue;
    while (comment < comments.length && comments[comment]!.end <= start) comment++;
    yield { start, end, isInComment: comment < comments.length && comments[comment]!.start < start };
  }
}

/** A letter beside it makes another name; a hyphen, a slash or a dot behind it a file's or a page's. */
const isPartOfName = /[\p{ID_Continue}$#@/-]/u;
