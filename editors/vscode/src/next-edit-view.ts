import {
  type DecorationOptions,
  DecorationRangeBehavior,
  type Disposable,
  MarkdownString,
  OverviewRulerLane,
  Position,
  Range,
  type TextDocument,
  type TextEditor,
  ThemeColor,
  Uri,
  window,
  workspace,
} from "vscode";
import { type DrawnPart, drawnParts } from "./drawn-edit.ts";
import { editAsDiff, fenced } from "./edit-as-diff.ts";
import { elsewhereHint } from "./hint-text.ts";
import type { NextEditWay } from "./next-edit-way.ts";
import type { NextEditItem } from "./protocol.ts";

/** Shows a next edit with decorations: removed text, inserted text, and a hint at the next key. */
export class NextEditView implements Disposable {
  readonly #removed = window.createTextEditorDecorationType({
    backgroundColor: new ThemeColor("diffEditor.removedTextBackground"),
    textDecoration: "line-through",
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
  });
  readonly #inserted = window.createTextEditorDecorationType({ rangeBehavior: DecorationRangeBehavior.ClosedClosed });
  readonly #place = window.createTextEditorDecorationType({
    isWholeLine: true,
    overviewRulerColor: new ThemeColor("editorOverviewRuler.modifiedForeground"),
    overviewRulerLane: OverviewRulerLane.Left,
    ...{ borderStyle: "solid", borderWidth: "0 0 0 2px", borderColor: new ThemeColor("focusBorder") },
  });
  readonly #hint = window.createTextEditorDecorationType({
    after: {
      ...{ margin: "0 0 0 2em", color: new ThemeColor("editorCodeLens.foreground"), fontStyle: "italic" },
      // The API has no other property for CSS. A hint that takes no space adds no scroll bar.
      textDecoration: "none; position: absolute; white-space: pre",
    },
  });

  draw(editor: TextEditor, item: NextEditItem, way: NextEditWay): void {
    this.clear(editor);
    const { document } = editor;
    if (way === "ghost-text") return;
    const cursor = editor.selection.active;
    if (way === "elsewhere") {
      const path = workspace.asRelativePath(Uri.parse(item.textDocument.uri));
      const hint = elsewhereHint(path, item.range.start.line + 1, item.reason);
      editor.setDecorations(this.#hint, [hintAt(document, cursor.line, hint)]);
      return;
    }
    const hover = nextEditHover(document, item);
    const line = Math.min(item.range.start.line, document.lineCount - 1);
    const lastLine = Math.min(item.range.end.line, document.lineCount - 1);
    const place = new Range(new Position(line, 0), document.lineAt(lastLine).range.end);
    editor.setDecorations(this.#place, [{ range: place, hoverMessage: hover }]);
    const parts = drawnParts(document.getText(), item.edits, ({ line, character }) =>
      document.offsetAt(new Position(line, character)),
    );
    const at = (offset: number) => document.positionAt(offset);
    editor.setDecorations(
      this.#removed,
      parts.filter(({ start, end }) => end > start).map((part) => drawnAt("after", at(part.start), at(part.end), part)),
    );
    editor.setDecorations(
      this.#inserted,
      parts
        .filter(({ start, end }) => end === start)
        .map((part) => drawnAt("before", at(part.start), at(part.end), part)),
    );
    const isVisible = editor.visibleRanges.some((range) => range.contains(new Position(line, 0)));
    const hints =
      way === "here"
        ? [hintAt(document, lastLine, `Tab: accept, ${item.reason}`)]
        : isVisible
          ? [hintAt(document, lastLine, `Tab: go here, ${item.reason}`)]
          : [hintAt(document, cursor.line, `Tab: line ${line + 1}, ${item.reason}`)];
    editor.setDecorations(this.#hint, hints);
  }

  /** Removes the hint at the next key. */
  clearHint(editor: TextEditor): void {
    editor.setDecorations(this.#hint, []);
  }

  clear(editor: TextEditor): void {
    for (const type of [this.#removed, this.#inserted, this.#place, this.#hint]) editor.setDecorations(type, []);
  }

  dispose(): void {
    for (const type of [this.#removed, this.#inserted, this.#place, this.#hint]) type.dispose();
  }
}

/** The commands that the hover of a next edit may run. */
export const hoverCommands = {
  accept: "emend.nextEdit.accept",
  acceptAll: "emend.nextEdit.acceptAll",
  reject: "emend.nextEdit.reject",
};

function nextEditHover(document: TextDocument, item: NextEditItem): MarkdownString {
  const diff = editAsDiff(document.getText(), item.edits, ({ line, character }) =>
    document.offsetAt(new Position(line, character)),
  );
  const places = 1 + item.others.filter(({ isSameChain }) => isSameChain).length;
  const links = [
    ...(item.edits.length > 0 ? [`[Accept](command:${hoverCommands.accept})`] : []),
    ...(places > 1 ? [`[Accept all ${places} places](command:${hoverCommands.acceptAll})`] : []),
    `[Reject](command:${hoverCommands.reject})`,
  ];
  const text = new MarkdownString();
  text.isTrusted = { enabledCommands: Object.values(hoverCommands) };
  text.appendText(`Suggested: ${item.reason}`);
  if (diff !== "") text.appendMarkdown(`\n\n${fenced(diff, "diff")}`);
  text.appendMarkdown(`\n\n${links.join(" · ")}`);
  return text;
}

function drawnAt(
  side: "before" | "after",
  start: Position,
  end: Position,
  { shown, hiddenLines }: DrawnPart,
): DecorationOptions {
  const range = new Range(start, end);
  if (shown === "") return { range };
  const more = hiddenLines === 0 ? "" : ` … and ${hiddenLines} more line${hiddenLines === 1 ? "" : "s"}`;
  const attachment = {
    // VS Code would trim spaces at the ends.
    contentText: `${shown}${more}`.replaceAll(" ", "\u00a0"),
    color: new ThemeColor("editor.foreground"),
    backgroundColor: new ThemeColor("diffEditor.insertedTextBackground"),
    textDecoration: "none",
  };
  return { range, renderOptions: { [side]: attachment } };
}

function hintAt(document: TextDocument, line: number, text: string): DecorationOptions {
  const { end } = document.lineAt(line).range;
  return { range: new Range(end, end), renderOptions: { after: { contentText: text } } };
}
