import { effect } from "@preact/signals";
import { StandaloneServices } from "monaco-editor/editor/standalone/browser/standaloneServices.js";
import { IStorageService } from "monaco-editor/platform/storage/common/storage.js";
import type { Range } from "vscode-languageserver-protocol";
import { isDark } from "../look/scheme.ts";
import type { NextEditActions } from "../next/next-edit-keys.ts";
import type { DocumentViews, OpenDocument, RevealOptions } from "./documents.ts";
import { monaco } from "./monaco.ts";
import { fromMonacoRange, toMonacoRange } from "./positions.ts";
import { defineEditorSchemes } from "./schemes.ts";

/** Files with more lines have no features that scan the whole text after each key. */
const largeFromLines = 20_000;

/**
 * The editor of the page. It shows one document at a time and restores the view state of each.
 */
export class EditorView {
  readonly #states = new WeakMap<monaco.editor.ITextModel, monaco.editor.ICodeEditorViewState>();
  /** The documents in which the user has pressed a key or the mouse, or has gone to a place. */
  readonly #entered = new WeakSet<monaco.editor.ITextModel>();
  readonly #whenReady: ((editor: monaco.editor.IStandaloneCodeEditor) => void)[] = [];
  /** The actions of next edits; `undefined` until the editor is mounted. */
  nextEdits: NextEditActions | undefined;
  #editor: monaco.editor.IStandaloneCodeEditor | undefined;
  #waiting: (() => void) | undefined;

  readonly #onSelection = new Set<() => void>();

  readonly views: Omit<DocumentViews, "showMessage"> = {
    reveal: (document, range, options) => this.#reveal(document, range, options),
    selectionIn: ({ model }) => {
      const selection = this.#editor?.getModel() === model ? this.#editor.getSelection() : null;
      return selection === null || selection === undefined ? undefined : fromMonacoRange(selection);
    },
    onSelection: (handle) => {
      this.#onSelection.add(handle);
      return { [Symbol.dispose]: () => void this.#onSelection.delete(handle) };
    },
  };

  /** `undefined` until the editor is mounted. */
  get editor(): monaco.editor.IStandaloneCodeEditor | undefined {
    return this.#editor;
  }

  /** Calls back with the editor after it is mounted. */
  onReady(add: (editor: monaco.editor.IStandaloneCodeEditor) => void): void {
    this.#whenReady.push(add);
  }

  /** Mounts the editor in an element. Dispose of the result when the element is removed. */
  mount(element: HTMLElement): Disposable {
    knowNextEdits();
    defineEditorSchemes();
    const editor = monaco.editor.create(element, {
      ...{ model: null, automaticLayout: true, fontSize: 13, lineHeight: 20, padding: { top: 8, bottom: 8 } },
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue("--font-code"),
      ...{
        minimap: { enabled: false },
        scrollBeyondLastLine: false,
        smoothScrolling: false,
        renderWhitespace: "selection",
      },
      ...{ wordBasedSuggestions: "off", quickSuggestions: false, suggestOnTriggerCharacters: false },
      ...{ unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false } },
      ...{
        accessibilitySupport: "auto",
        ariaLabel: "Code",
        fixedOverflowWidgets: true,
        stickyScroll: { enabled: false },
        bracketPairColorization: { enabled: false },
      },
      // A suggestion stays while the Explain panel has the focus.
      inlineSuggest: { enabled: true, showToolbar: "onHover", keepOnBlur: true },
    });
    this.#editor = editor;
    const stop = effect(() => monaco.editor.setTheme(isDark() ? "emend-dark" : "emend-light"));
    const selected = () => {
      for (const handle of this.#onSelection) handle();
    };
    editor.onDidChangeCursorSelection(selected);
    editor.onDidChangeModel(selected);
    editor.onKeyDown(() => this.#enter());
    editor.onMouseDown(() => this.#enter());
    keepCursorVisible(editor);
    for (const add of this.#whenReady) add(editor);
    this.#waiting?.();
    this.#waiting = undefined;
    return {
      [Symbol.dispose]: () => {
        stop();
        editor.dispose();
        this.#editor = undefined;
      },
    };
  }

  /** Focuses the editor, with the next frame where a view that was in front still hides it. */
  focus(): void {
    this.#editor?.focus();
    if (this.#editor?.hasTextFocus() === false) requestAnimationFrame(() => this.#editor?.focus());
  }

  #reveal(document: OpenDocument, range: Range | undefined, options?: RevealOptions): void {
    const editor = this.#editor;
    if (editor === undefined) {
      this.#waiting = () => this.#reveal(document, range, options);
      return;
    }
    const before = editor.getModel();
    if (before !== document.model) {
      const state = editor.saveViewState();
      if (before && state) this.#states.set(before, state);
      this.#setFeatures(editor, document.model);
      editor.setModel(document.model);
      const left = this.#states.get(document.model);
      if (left) editor.restoreViewState(left);
    }
    if (range) {
      this.#enter();
      const selection = toMonacoRange(range);
      editor.setSelection(selection);
      editor.revealRangeInCenterIfOutsideViewport(selection);
    }
    const isFocusFree = window.document.activeElement === window.document.body;
    if (options?.isUnobtrusive !== true || isFocusFree) this.focus();
  }

  #enter(): void {
    const model = this.#editor?.getModel();
    if (!model || this.#entered.has(model)) return;
    this.#entered.add(model);
    this.#setFeatures(this.#editor!, model);
  }

  /**
   * Turns features on or off for a document. The occurrences of the word at the cursor are
   * highlighted only after the user has placed the cursor, not at the start of an opened file.
   */
  #setFeatures(editor: monaco.editor.IStandaloneCodeEditor, model: monaco.editor.ITextModel): void {
    const isLarge = model.getLineCount() > largeFromLines;
    const areOccurrencesShown = !isLarge && this.#entered.has(model);
    editor.updateOptions({ occurrencesHighlight: areOccurrencesShown ? "singleFile" : "off", folding: !isLarge });
  }
}

/** Keeps the line of the cursor visible when a message or a bar below the editor takes height. */
function keepCursorVisible(editor: monaco.editor.IStandaloneCodeEditor): void {
  let heightBefore = editor.getLayoutInfo().height;
  editor.onDidLayoutChange(({ height }) => {
    const line = editor.getPosition()?.lineNumber;
    const top = line === undefined ? -1 : editor.getTopForLineNumber(line) - editor.getScrollTop();
    if (line !== undefined && height < heightBefore && top >= 0 && top < heightBefore) editor.revealLine(line);
    heightBefore = height;
  });
}

/**
 * Marks the user as familiar with next edits in the editor's storage.
 *
 * For new users the editor animates the gutter indicator before it exists, which fails and is
 * logged as an error. The page explains next edits itself.
 */
function knowNextEdits(): void {
  const application = -1;
  const user = 0;
  StandaloneServices.get(IStorageService).store("inlineEditsGutterIndicatorUserKind", "active", application, user);
}
