import type { FileTexts } from "../text/index.ts";
import type { Ask, ElidedAsk, LinesAsk, MoveAsk, WholeAsk } from "./ask.ts";
import { type AskOutcome, placed, refused } from "./ask-outcome.ts";
import { doubtfulLines } from "./doubtful-lines.ts";
import { searchBlockRow } from "./edit-in-code.ts";
import { elidedRow } from "./elided-row.ts";
import { fileLines } from "./file-lines.ts";
import { isElision } from "./is-elision.ts";
import { type OpenFile, OpenFiles } from "./open-files.ts";
import { normalizedPath } from "./path-match.ts";
import { placeBlock } from "./place-block.ts";
import { placeElided } from "./place-elided.ts";
import { placeLines } from "./place-lines.ts";
import { placeString } from "./place-string.ts";
import { placeWhole } from "./place-whole.ts";
import type { PlacedAsk, Placement, RefusedAsk } from "./placement.ts";
import type { Lenience } from "./refusal.ts";
import { takeBlanksAhead } from "./take-blanks-ahead.ts";

/** What was agreed with the model beside the format. */
export interface PlaceOptions {
  /**
   * Whether, of several places that read alike, the first is meant; refused as `ambiguous` unless told.
   *
   * It is the rule that aider tells its models, and to be taken for answers given under it: 2 of 273 recorded ones rely on
   * it. In one of the two the model writes that it means the second place, and the first is changed. Our own formats ask for
   * text that is there once.
   */
  readonly takesFirst?: boolean;
}

/**
 * Puts the asks of an answer into their places in the files that the model was shown.
 *
 * Asks are taken in the order of the answer. Line numbers always speak of the files as they were shown; text is looked for
 * in what earlier asks have made of them. An ask that is refused changes nothing, and stops no other: whether a part of an
 * answer is worth taking is for the caller to say.
 *
 * Law: no ask changes a line that it does not name.
 */
export function placeAsks(asks: readonly Ask[], files: FileTexts, options: PlaceOptions = {}): Placement {
  const open = new OpenFiles(files);
  const placedAsks: PlacedAsk[] = [];
  const taken = takeBlanksAhead(asks, (ask) => {
    const found = open.resolve(ask);
    return found.kind === "file" ? found.file.text.snapshot : undefined;
  });
  const leniences: Lenience[] = [...taken.leniences];
  const refused: RefusedAsk[] = [];
  for (const ask of taken.asks) {
    const { outcome, path } = placeAsk(ask, open, options);
    if (outcome.kind === "refused") {
      refused.push({ ask, refusal: { ...outcome.refusal, row: ask.row, path } });
    } else {
      placedAsks.push({ ask, path: path!, splices: outcome.splices });
      leniences.push(...outcome.leniences.map((lenience) => ({ ...lenience, row: ask.row, path })));
    }
  }
  const refusals = refused.map(({ refusal }) => refusal);
  return { edit: open.toWorkspaceEdit(), placed: placedAsks, leniences, refusals, refused };
}

/** What became of an ask, and the path of the file that it speaks of. */
interface PlacedInFile {
  readonly outcome: AskOutcome;
  readonly path: string | undefined;
}

function placeAsk(ask: Ask, open: OpenFiles, options: PlaceOptions): PlacedInFile {
  const found = open.resolve(ask);
  if (found.kind === "refused") return { outcome: { kind: "refused", refusal: found.refusal }, path: ask.path };
  if (found.kind === "none") {
    const outcome = placeNewFile(ask, found.path, open) ?? { kind: "refused", refusal: found.refusal };
    return { outcome, path: outcome.kind === "placed" ? found.path : ask.path };
  }
  const { file } = found;
  const path = file.pathBefore ?? file.path;
  const outcome = placeInFile(ask, file, { ...options, open });
  if (outcome.kind === "refused") return { outcome, path };
  const { splices } = outcome;
  const doubtful = doubtfulLines({ ask, path, splices, snapshot: file.text.snapshot });
  return { outcome: placed(splices, [...found.leniences, ...outcome.leniences, ...doubtful]), path };
}

/** Makes the file of an ask that means a new one; `undefined` for all others. */
function placeNewFile(ask: Ask, path: string, open: OpenFiles): AskOutcome | undefined {
  const lines = linesOfNewFile(ask);
  if (lines === undefined) return undefined;
  const left = elidedRow(lines, { known: [], path });
  if (left !== undefined) {
    return refused("elided-code", `${JSON.stringify(lines[left]!.trim())} stands for code, and the file is new.`);
  }
  const { text } = open.create(path);
  const splices = [{ start: 0, end: 0, lines }];
  text.replaceLines(splices);
  if ("finalNewline" in ask && ask.finalNewline === false) text.setFinalNewline(false);
  return placed([], doubtfulLines({ ask, path, splices, snapshot: text.snapshot }));
}

function linesOfNewFile(ask: Ask): readonly string[] | undefined {
  if (ask.kind === "create" || ask.kind === "whole" || ask.kind === "elided") return ask.lines;
  return ask.kind === "block" && ask.search.length === 0 ? ask.replace : undefined;
}

function placeInFile(
  ask: Ask,
  file: OpenFile,
  { open, takesFirst }: PlaceOptions & { readonly open: OpenFiles },
): AskOutcome {
  switch (ask.kind) {
    case "lines":
      return elidedCode(ask, file) ?? placeLines(ask, file.text);
    case "block":
      return placeBlock(ask, { text: file.text, path: file.path, takesFirst });
    case "create":
      return refused("already-exists", `${file.path} is there already.`);
    case "remove":
      open.remove(file);
      return placed([]);
    case "move":
      return placeMove(ask, file, open);
    case "string":
      return placeString(ask, file.text, file.path);
    case "whole":
      return searchBlock(ask, file) ?? placeWhole(ask, file.text, file.path);
    case "elided":
      return searchBlock(ask, file) ?? placeElided(ask, file.text, file.path);
  }
}

/** Refuses lines of which one stands for code; a line that was shown, and goes elsewhere, is code itself. */
function elidedCode({ lines }: LinesAsk, { text, path }: OpenFile): AskOutcome | undefined {
  if (!lines.some((line) => isElision(line, path))) return undefined;
  const left = elidedRow(lines, { known: [fileLines(text.snapshot.source)], path });
  if (left === undefined) return undefined;
  const message = `${JSON.stringify(lines[left]!.trim())} stands for code; name only the lines that change, or write the code itself.`;
  return refused("elided-code", message);
}

/** Refuses code in which a search/replace block of this very file stands. */
function searchBlock({ lines }: WholeAsk | ElidedAsk, { text }: OpenFile): AskOutcome | undefined {
  const row = searchBlockRow(lines, text.texts);
  if (row === undefined) return undefined;
  const message = `${JSON.stringify(lines[row]!.trim())} begins an edit in the format search-replace, within code; write all edits of an answer in one format.`;
  return refused("unreadable-row", message);
}

function placeMove(ask: MoveAsk, file: OpenFile, open: OpenFiles): AskOutcome {
  const to = normalizedPath(ask.to);
  if (to === undefined)
    return refused("unsafe-path", `${ask.to} leads out of the root, or to where nothing may be written.`);
  if (to === file.path) return refused("no-change", `${to} is where the file is already.`);
  if (open.has(to)) return refused("already-exists", `There is a file at ${to} already.`);
  open.move(file, to);
  return placed([]);
}
