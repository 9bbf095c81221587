import {
  CancellationTokenSource,
  commands,
  type Diagnostic,
  type Disposable,
  Position as EditorPosition,
  InlineCompletionItem,
  languages,
  type Position,
  Range,
  Selection,
  type TextDocument,
  type TextDocumentChangeEvent,
  type TextEditor,
  TextEditorRevealType,
  Uri,
  type WorkspaceEdit,
  window,
  workspace,
} from "vscode";
import type { WorkspaceEdit as ProtocolEdit } from "vscode-languageclient/node";
import { errorMessage } from "../../../src/text/index.ts";
import type { AppliedEdits } from "./applied-edits.ts";
import { fromCursor, type GhostPlace, tryAsGhostText } from "./as-ghost-text.ts";
import { documentSelector } from "./document-selector.ts";
import { isIndenting } from "./indenting.ts";
import type { NextEditView } from "./next-edit-view.ts";
import { type NextEditWay, nextEditWay, type Span } from "./next-edit-way.ts";
import type {
  NextEditAcceptResult,
  NextEditCheckResult,
  NextEditItem,
  NextEditParams,
  NextEditResult,
} from "./protocol.ts";
import type { ServerLink } from "./server-link.ts";

/** The dependencies of {@link NextEdits}. */
export interface NextEditsParts {
  readonly server: ServerLink;
  readonly view: NextEditView;
  readonly applied: AppliedEdits;
  /** Converts a workspace edit of the protocol. */
  toEditorEdit(edit: ProtocolEdit): Promise<WorkspaceEdit>;
  /** Called with a short label of the shown next edit, or `undefined`. */
  onShown(label: string | undefined): void;
  /** Requests ghost text for the same text again. */
  requestGhostText(): void;
  /** Shows a message: the reason for no suggestion after an explicit request, or a failure. */
  showMessage(message: string): void;
}

/** The command of a next edit that was accepted as ghost text. Its argument is the id. */
export const takenCommand = "emend.nextEdit.taken";

/** The debounce after a key, in milliseconds. The server itself waits for a longer pause. */
const restMs = 60;

/**
 * How often a request is repeated while text and line stay, and after how many milliseconds at
 * first where it failed. Each further time it is twice as long.
 */
const maxRepeats = 5;
const failedRepeatMs = 300;

/** The active suggestion, with the document and the version that it was made for. */
interface Shown {
  readonly item: NextEditItem;
  readonly uri: string;
  /** The version of the edited document; `undefined` while that is not open. */
  readonly version: number | undefined;
  readonly way: NextEditWay;
}

/**
 * Requests a next edit after each change and each move to another line, and shows it. The server
 * decides when it may be shown. The context key `emend.nextEdit`, a {@link NextEditWay} or unset,
 * enables the keys Tab and Escape.
 */
export class NextEdits implements Disposable {
  readonly #parts: NextEditsParts;
  readonly #subscriptions: readonly Disposable[];
  #shown: Shown | undefined;
  #asking: CancellationTokenSource | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The position to which the key for the next edit has moved the cursor. */
  #broughtTo: { readonly uri: string; readonly position: Position } | undefined;
  #isAccepting = false;
  /**
   * Documents that the user has edited; moving the cursor in others causes no automatic request.
   */
  readonly #edited = new WeakSet<TextDocument>();
  #line = -1;
  /** The state for which a request is repeated, and how often it was. */
  #repeated: { readonly state: string; readonly times: number } | undefined;
  /** Whether the last answer was that ghost text is shown, which ends when the cursor moves. */
  #waitsForGhostText = false;

  constructor(parts: NextEditsParts) {
    this.#parts = parts;
    this.#subscriptions = [
      workspace.onDidChangeTextDocument((event) => this.#changed(event)),
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.#moved(textEditor)),
      window.onDidChangeActiveTextEditor((editor) => this.#switched(editor)),
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        if (textEditor === window.activeTextEditor) this.#draw();
      }),
      commands.registerCommand("emend.nextEdit.ask", () => this.ask("invoked")),
      commands.registerCommand("emend.nextEdit.goTo", (by) => this.#unlessIndenting(by, () => this.goTo())),
      commands.registerCommand("emend.nextEdit.accept", (by) => this.#unlessIndenting(by, () => this.accept())),
      commands.registerCommand("emend.nextEdit.acceptAll", () => this.acceptAll()),
      commands.registerCommand("emend.nextEdit.reject", () => this.reject()),
      commands.registerCommand(takenCommand, (id: string) => this.#taken(id)),
    ];
    this.#setIndenting(window.activeTextEditor);
  }

  /** Requests a next edit. An `invoked` request also shows a message if there is no suggestion. */
  async ask(trigger: "automatic" | "invoked"): Promise<void> {
    clearTimeout(this.#timer);
    this.#asking?.cancel();
    const editor = window.activeTextEditor;
    if (editor === undefined || languages.match(documentSelector, editor.document) === 0) return this.#show(undefined);
    const asking = new CancellationTokenSource();
    this.#asking = asking;
    const { document } = editor;
    const { version } = document;
    const state = `${document.uri} ${version} ${editor.selection.active.line}`;
    const params: NextEditParams = {
      textDocument: { uri: document.uri.toString(), version },
      position: editor.selection.active,
      context: {
        triggerKind: trigger === "invoked" ? 1 : 2,
        diagnostics: languages.getDiagnostics(document.uri).slice(0, 50).map(toProtocolDiagnostic),
      },
    };
    let answer: NextEditResult;
    try {
      answer = await this.#parts.server.request<NextEditResult>("emend/nextEdit", params, asking.token);
    } catch (error) {
      // The server answers a cancelled request with an error too.
      if (asking.token.isCancellationRequested) return;
      if (trigger === "invoked") this.#parts.showMessage(errorMessage(error));
      this.#show(undefined);
      return this.#repeat(state, failedRepeatMs);
    }
    if (asking.token.isCancellationRequested) return;
    // The answer is for another text than the present one.
    if (document.version !== version || window.activeTextEditor?.document !== document) return this.#soon(restMs);
    if (answer.kind === "no-suggestion") {
      if (trigger === "invoked") this.#parts.showMessage(answer.text);
      this.#show(undefined);
      this.#waitsForGhostText = answer.reason.kind === "ghost-text-shown";
      if (answer.repeatAfterMs !== undefined) this.#repeat(state, answer.repeatAfterMs);
      return;
    }
    const item = answer.suggestion;
    this.#show({
      ...{ item, uri: document.uri.toString(), way: "away" },
      version: item.isElsewhere ? (item.textDocument.version ?? undefined) : version,
    });
    this.#parts.server.notify("emend/nextEdit/shown", { id: item.id });
  }

  /** The next edit as ghost text of VS Code, if it can be shown that way at the cursor. */
  ghostTextAt(document: TextDocument, position: Position): InlineCompletionItem | undefined {
    const shown = this.#shown;
    if (shown === undefined || shown.item.isElsewhere || shown.version !== document.version) return undefined;
    if (shown.uri !== document.uri.toString()) return undefined;
    const ghost = ghostPlaceOf(shown.item, document, position);
    if (ghost === undefined || !position.isEqual(toPosition(ghost.at))) return undefined;
    const command = { title: "Next edit accepted", command: takenCommand, arguments: [shown.item.id] };
    return new InlineCompletionItem(ghost.insertText, toRange(ghost.range), command);
  }

  /** Moves the cursor to the next edit. */
  async goTo(): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined) return;
    const { item } = shown;
    const uri = Uri.parse(item.textDocument.uri);
    const wasElsewhere = item.isElsewhere;
    const document = await workspace.openTextDocument(uri);
    if (wasElsewhere && !isOfVersion(document, shown.version)) {
      this.#show(undefined);
      return this.ask("automatic");
    }
    // A file that was not open may have changed on the disk since.
    if (wasElsewhere && shown.version === undefined && (await this.#hasChanged(item.id))) {
      if (this.#shown === shown) this.#show(undefined);
      return this.ask("automatic");
    }
    const ghost = tryAsGhostText(item.edits, (line) => document.lineAt(line).text);
    const at = ghost === undefined ? firstPlace(item) : toPosition(ghost.at);
    const here = { ...item, isElsewhere: false };
    this.#shown = { item: here, uri: uri.toString(), version: document.version, way: shown.way };
    this.#broughtTo = { uri: uri.toString(), position: at };
    this.#line = at.line;
    const editor = await window.showTextDocument(document, { preview: wasElsewhere });
    editor.selection = new Selection(at, at);
    editor.revealRange(new Range(at, at), TextEditorRevealType.InCenterIfOutsideViewport);
    // A place to review is done once the cursor is there.
    if (item.edits.length === 0) return this.#taken(item.id);
    this.#update();
  }

  /** Applies the next edit to the text that it was made for, and requests the following one. */
  async accept(): Promise<void> {
    const shown = this.#shown;
    const editor = window.activeTextEditor;
    if (shown === undefined || editor === undefined) return;
    const { item } = shown;
    const { document } = editor;
    if (shown.uri !== document.uri.toString() || item.isElsewhere) return this.goTo();
    if (shown.version !== document.version) return this.ask("automatic");
    const last = item.edits.at(-1);
    if (last === undefined) return this.#taken(item.id);
    const isApplied = await this.#accepting(() =>
      this.#parts.applied.keep([document.uri], () =>
        editor.edit((builder) => {
          for (const { range, newText } of item.edits) builder.replace(toRange(range), newText);
        }),
      ),
    );
    if (!isApplied) return this.#parts.showMessage("VS Code did not apply the next edit.");
    const at = endOf(item.edits, document);
    editor.selection = new Selection(at, at);
    await this.#taken(item.id);
  }

  /** Applies all edits of the same chain, in all files, checked together by the server. */
  async acceptAll(): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined) return;
    const params = { id: shown.item.id, chain: true };
    let answer: NextEditAcceptResult;
    try {
      answer = await this.#parts.server.request<NextEditAcceptResult>("emend/nextEdit/accept", params);
    } catch (error) {
      return this.#parts.showMessage(errorMessage(error));
    }
    if (!answer.edit) {
      const { changed = [] } = answer;
      if (changed.length > 0) this.#soon(0);
      return this.#parts.showMessage(changed.length > 0 ? changedMessage(changed) : causesErrorsMessage);
    }
    const edit = await this.#parts.toEditorEdit(answer.edit);
    this.#show(undefined);
    const { applied } = this.#parts;
    const uris = edit.entries().map(([uri]) => uri);
    const isApplied = await this.#accepting(() =>
      applied.keep(uris, () => workspace.applyEdit(edit, { isRefactoring: true })),
    );
    if (!isApplied) return this.#parts.showMessage("VS Code did not apply the edits.");
    this.#soon(0);
    const { last } = applied;
    // Nothing else shows that files were changed which are not visible.
    if (last?.some(({ uri }) => window.visibleTextEditors.every(({ document }) => document.uri.path !== uri.path)))
      void applied.show(last, `changed ${last.length === 1 ? "" : `${last.length} files: `}`.trimEnd());
  }

  /** Rejects the next edit: it is not shown again while the text at its place is unchanged. */
  reject(): void {
    if (this.#shown === undefined) return;
    this.#parts.server.notify("emend/nextEdit/reject", { id: this.#shown.item.id });
    this.#show(undefined);
  }

  /**
   * Ghost text was dismissed: a next edit that was shown as ghost text is rejected, and one that
   * waited for its end is requested.
   */
  ghostTextDismissed(): void {
    if (this.#shown?.way === "ghost-text") this.reject();
    else if (this.#waitsForGhostText) this.#soon(restMs);
    this.#waitsForGhostText = false;
  }

  /** Requests suggestions of a server that was started after the user's edits. */
  serverStarted(): void {
    const document = window.activeTextEditor?.document;
    if (document === undefined || !(document.isDirty || this.#edited.has(document))) return;
    this.#parts.requestGhostText();
    this.#soon(restMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#asking?.cancel();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Applies an edit; the changes of the text that it makes cause no request. */
  async #accepting<T>(apply: () => Promise<T>): Promise<T> {
    this.#isAccepting = true;
    try {
      return await apply();
    } finally {
      this.#isAccepting = false;
    }
  }

  /** Whether the text of the suggestion's file has changed since; shows a message where it has. */
  async #hasChanged(id: string): Promise<boolean> {
    try {
      const { changed } = await this.#parts.server.request<NextEditCheckResult>("emend/nextEdit/check", { id });
      if (changed.length > 0) this.#parts.showMessage(changedMessage(changed));
      return changed.length > 0;
    } catch (error) {
      // Without an answer it is not known whether the edit fits.
      this.#parts.showMessage(errorMessage(error));
      return true;
    }
  }

  async #taken(id: string): Promise<void> {
    this.#show(undefined);
    try {
      await this.#parts.server.request<NextEditAcceptResult>("emend/nextEdit/accept", { id });
    } catch {
      // The server no longer knows the suggestion, so no feedback is needed.
    }
    await this.ask("automatic");
  }

  #changed({ document, contentChanges }: TextDocumentChangeEvent): void {
    if (contentChanges.length === 0) return;
    if (document !== window.activeTextEditor?.document) {
      this.#changedElsewhere(document);
      return;
    }
    this.#edited.add(document);
    this.#broughtTo = undefined;
    this.#waitsForGhostText = false;
    if (this.#isAccepting) return;
    // The decorations stay until the server answers, but without a key and its hint.
    void setContext("nextEdit", undefined);
    this.#parts.view.clearHint(window.activeTextEditor);
    this.#parts.onShown(undefined);
    this.#soon(restMs);
  }

  /** A suggestion in another document ends when that changes, also by an edit or undo of Emend. */
  #changedElsewhere({ uri }: TextDocument): void {
    if (this.#isAccepting || this.#shown?.item.textDocument.uri !== uri.toString()) return;
    this.#show(undefined);
    this.#soon(restMs);
  }

  #moved(editor: TextEditor): void {
    if (editor !== window.activeTextEditor) return;
    const { active } = editor.selection;
    if (this.#broughtTo !== undefined && !active.isEqual(this.#broughtTo.position)) this.#broughtTo = undefined;
    this.#setIndenting(editor);
    if (this.#isAccepting) return;
    if (this.#shown !== undefined) this.#update();
    else if ((active.line !== this.#line || this.#waitsForGhostText) && this.#edited.has(editor.document))
      this.#soon(4 * restMs);
    this.#line = active.line;
  }

  #switched(editor: TextEditor | undefined): void {
    this.#setIndenting(editor);
    if (editor !== undefined && this.#shown?.uri === editor.document.uri.toString()) {
      this.#update();
      return;
    }
    this.#show(undefined);
    if (editor === undefined) return;
    this.#line = editor.selection.active.line;
    this.#soon(4 * restMs);
  }

  #soon(ms: number): void {
    clearTimeout(this.#timer);
    this.#asking?.cancel();
    this.#timer = setTimeout(() => void this.ask("automatic"), ms);
  }

  /**
   * Requests a next edit again for the same text and line, a few times: after `delayMs`
   * milliseconds at first, and after twice as many each further time.
   */
  #repeat(state: string, delayMs: number): void {
    const times = this.#repeated?.state === state ? this.#repeated.times : 0;
    if (times >= maxRepeats) return;
    this.#repeated = { state, times: times + 1 };
    this.#soon(delayMs * 2 ** times);
  }

  #show(shown: Shown | undefined): void {
    this.#shown = shown;
    this.#update();
  }

  /** Updates the way to the next edit, the context keys and the decorations. */
  #update(): void {
    const editor = window.activeTextEditor;
    const shown = this.#shown;
    const isStale = shown !== undefined && editor?.document.uri.toString() === shown.uri && isOutOfDate(shown, editor);
    if (shown === undefined || editor === undefined || isStale) {
      for (const visible of window.visibleTextEditors) this.#parts.view.clear(visible);
      void setContext("nextEdit", undefined);
      this.#parts.onShown(undefined);
      return;
    }
    const { item } = shown;
    const ghost = item.isElsewhere ? undefined : ghostPlaceOf(item, editor.document, editor.selection.active);
    const way = nextEditWay({
      ...{ isElsewhere: item.isElsewhere, range: item.range, cursor: editor.selection.active },
      ...{ ghostAt: ghost?.at, hasEdits: item.edits.length > 0 },
    });
    const wasGhostText = shown.way === "ghost-text";
    this.#shown = { ...shown, way };
    this.#setIndenting(editor);
    void setContext("nextEdit", way);
    void setContext(
      "nextEditHasChain",
      item.others.some(({ isSameChain }) => isSameChain),
    );
    this.#draw();
    this.#parts.onShown(labelOf(item, way));
    if (way === "ghost-text" && !wasGhostText) {
      // VS Code then requests the item of `ghostTextAt`.
      this.#parts.requestGhostText();
    }
  }

  #draw(): void {
    const editor = window.activeTextEditor;
    if (editor !== undefined && this.#shown !== undefined && !isOutOfDate(this.#shown, editor)) {
      this.#parts.view.draw(editor, this.#shown.item, this.#shown.way);
    }
  }

  #setIndenting(editor: TextEditor | undefined): void {
    if (editor !== undefined) void setContext("isIndenting", this.#isIndenting(editor));
  }

  #isIndenting({ document, selection: { active } }: TextEditor): boolean {
    const before = document.lineAt(active.line).text.slice(0, active.character);
    const isBrought = this.#broughtTo?.uri === document.uri.toString() && active.isEqual(this.#broughtTo.position);
    return isIndenting(before, isBrought);
  }

  /** VS Code may run the command for Tab before the context key `isIndenting` is updated. */
  async #unlessIndenting(by: unknown, act: () => Promise<void>): Promise<void> {
    const editor = window.activeTextEditor;
    if (by === "tab" && editor !== undefined && this.#isIndenting(editor)) await commands.executeCommand("tab");
    else await act();
  }
}

const causesErrorsMessage =
  "The edits would cause errors together, or the suggestion is out of date. Accept them one by one.";

function changedMessage(changed: readonly string[]): string {
  const [first] = changed;
  const files = changed.length === 1 ? `${first} has` : `${first} and ${changed.length - 1} more have`;
  return `${files} changed since the next edit was suggested. Nothing was changed.`;
}

/** Whether the document has changed since the suggestion was made. */
function isOutOfDate({ item, version, uri }: Shown, { document }: TextEditor): boolean {
  return !item.isElsewhere && uri === document.uri.toString() && version !== document.version;
}

/** Whether a document has the text of a version, or without one that of its file. */
function isOfVersion(document: TextDocument, version: number | undefined): boolean {
  return version === undefined ? !document.isDirty : document.version === version;
}

function ghostPlaceOf(item: NextEditItem, document: TextDocument, cursor: Position): GhostPlace | undefined {
  const lineAt = (line: number) => document.lineAt(line).text;
  const offered = item.ghostText && fromCursor(item.ghostText, cursor, lineAt(cursor.line));
  return offered ?? tryAsGhostText(item.edits, lineAt);
}

function labelOf({ textDocument, range, others }: NextEditItem, way: NextEditWay): string {
  const count = others.filter(({ isSameChain }) => isSameChain).length;
  const more = count === 0 ? "" : ` and ${count} more`;
  if (way === "elsewhere") return `next edit in ${textDocument.uri.split("/").at(-1)}${more}`;
  return way === "away" ? `next edit in line ${range.start.line + 1}${more}` : `next edit here${more}`;
}

/** The start of the first edit; without edits, the start of the range. */
function firstPlace({ edits, range }: NextEditItem): EditorPosition {
  return toPosition(edits[0]?.range.start ?? range.start);
}

/** The end of the last edit after all edits are applied. */
function endOf(edits: NextEditItem["edits"], document: TextDocument): EditorPosition {
  const last = edits.at(-1)!;
  // The edits are sorted, so the earlier ones shift the last one.
  const lines = (text: string) => text.split(/\r\n|\r|\n/);
  let line = 0;
  let character = 0;
  for (const { range, newText } of edits) {
    const added = lines(newText);
    const start = { line: range.start.line + line, character: range.start.character };
    if (range.start.line === edits[0]!.range.start.line && range !== edits[0]!.range) start.character += character;
    const end = {
      line: start.line + added.length - 1,
      character: added.at(-1)!.length + (added.length === 1 ? start.character : 0),
    };
    line += added.length - 1 - (range.end.line - range.start.line);
    character = end.character - range.end.character;
    if (range === last.range) return document.validatePosition(toPosition(end));
  }
  return toPosition(last.range.start);
}

function toProtocolDiagnostic({ range, message, severity }: Diagnostic) {
  // The protocol counts severities from 1.
  return { range, message, severity: (severity + 1) as 1 | 2 | 3 | 4 };
}

function toPosition({ line, character }: Span["start"]): EditorPosition {
  return new EditorPosition(line, character);
}

function toRange({ start, end }: Span): Range {
  return new Range(toPosition(start), toPosition(end));
}

function setContext(name: string, value: unknown): Thenable<unknown> {
  return commands.executeCommand("setContext", `emend.${name}`, value);
}
