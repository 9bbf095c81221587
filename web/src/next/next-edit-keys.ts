import { effect, type ReadonlySignal } from "@preact/signals";
import type { NextEditItem } from "../../../src/server/suggestions/next-edit-methods.ts";
import { errorMessage } from "../../../src/text/index.ts";
import { type ProposedFile, proposedFiles } from "../edit/proposed-files.ts";
import { printLeft, undoFiles } from "../edit/undo-files.ts";
import type { Documents } from "../editor/documents.ts";
import { monaco } from "../editor/monaco.ts";
import { fromMonacoPosition } from "../editor/positions.ts";
import type { WorkspaceFiles } from "../page-services.ts";
import type { showMessage as showMessageOfPage } from "../shell/messages.tsx";
import type { NextEditProvider } from "./next-edit-provider.ts";
import type { NextEdits, OfferedNextEdit } from "./next-edits.ts";
import { isShownIn, type TabMeaning, tabMeaningIn } from "./tab-meaning.ts";

/** The actions that navigate to next edits and accept or reject them. */
export interface NextEditActions {
  /** Goes to the location of the active next edit, in any file; requests one if none is active. */
  go(): Promise<void>;
  /** Accepts the edit at the cursor. */
  take(): void;
  /** Goes to a location. */
  visit(uri: string, range: OfferedNextEdit["item"]["range"]): Promise<void>;
  /**
   * Accepts all related edits, in the editor: files that are closed are opened. Nothing is written
   * to disk.
   */
  takeAll(): Promise<void>;
  reject(): void;
  /** What Tab does for the active next edit at the moment. */
  readonly tab: ReadonlySignal<TabMeaning>;
}

/** The dependencies of the actions. */
export interface NextEditActionParts {
  readonly documents: Documents;
  readonly files: Pick<WorkspaceFiles, "tryPathOf">;
  readonly nextEdits: NextEdits;
  readonly provider: NextEditProvider;
  readonly showMessage: typeof showMessageOfPage;
}

/**
 * Adds the actions of next edits to an editor, with their keys: Alt+N everywhere, Tab and Esc only
 * where they have no other meaning.
 */
export function addNextEditKeys(
  editor: monaco.editor.IStandaloneCodeEditor,
  { documents, files, nextEdits, provider, showMessage }: NextEditActionParts,
): NextEditActions {
  const ask = async () => {
    const model = editor.getModel();
    const position = editor.getPosition();
    const document = model && documents.ofModel(model);
    if (!document || !position) return;
    const answer = await nextEdits.ask({ document, position: fromMonacoPosition(position) }, "invoked");
    if (answer.kind === "no-suggestion") showMessage(`No next edit: ${answer.text}`);
    else if (!answer.suggestion.isElsewhere) provider.show(document.model, answer.suggestion);
  };
  const visit: NextEditActions["visit"] = async (uri, { start }) => {
    await documents.open(uri, { start, end: start });
  };
  const showError = (error: unknown) => void showMessage(errorMessage(error), "error");
  /** The files of the last edits that were accepted at once; empty after they are taken back. */
  let acceptedAll: readonly ProposedFile[] = [];
  /** The message about them. */
  let acceptedAllMessage: Disposable | undefined;
  const hasAcceptedAll = editor.createContextKey<boolean>("emendHasAcceptedAll", false);
  const keepAcceptedAll = (changed: readonly ProposedFile[]) => {
    acceptedAll = changed;
    hasAcceptedAll.set(changed.length > 0);
  };
  /**
   * Takes the last edits that were accepted at once back, but for files that have changed since.
   */
  const takeBack = async () => {
    const { undone, left } = await undoFiles(acceptedAll, documents);
    keepAcceptedAll(left);
    acceptedAllMessage?.[Symbol.dispose]();
    if (undone.length > 0) showMessage(`Took back the edits of ${listOf(undone)}.`);
    if (left.length > 0) showMessage(printLeft(left), "error");
  };
  const actions: Omit<NextEditActions, "tab"> = {
    visit,
    take: () => {
      editor.focus();
      editor.trigger("emend", "editor.action.inlineSuggest.commit", {});
    },
    go: async () => {
      const offered = nextEdits.offered.value;
      if (offered === undefined) return ask();
      const { item } = offered;
      if (isInActive(documents, item) && isShownIn(editor, "inlineEditIsVisible")) {
        editor.focus();
        const before = editor.getPosition();
        editor.trigger("emend", "editor.action.inlineSuggest.jump", {});
        // The cursor is at the edit already.
        if (before !== null && editor.getPosition()?.equals(before) === true) actions.take();
        return;
      }
      await visit(item.textDocument.uri, item.range);
      // After the navigation the edit is in the active document, so request it there.
      if (item.edits.length > 0) await ask();
      else nextEdits.clear();
    },
    takeAll: async () => {
      const offered = nextEdits.offered.value;
      if (offered === undefined) return;
      const whole = await nextEdits.whole(offered.item);
      if (whole === undefined)
        return void showMessage("These edits cannot be applied together. Accept them one by one.");
      const changed = await proposedFiles(whole, {
        textOf: (uri) => documents.textOf(uri),
        pathOf: (uri) => files.tryPathOf(uri) ?? uri,
      });
      // In the editor, all files stay unsaved together, and the user decides when the disk changes.
      for (const { uri } of changed) await documents.open(uri, undefined, { isUnobtrusive: true });
      const { applied, failureReason } = await documents.apply(whole);
      if (!applied) return void showMessage(failureReason ?? "The edits could not be applied.", "error");
      keepAcceptedAll(changed);
      acceptedAllMessage?.[Symbol.dispose]();
      acceptedAllMessage = showMessage(
        `Applied ${countOf(offered)} edits to ${listOf(changed)}. Nothing is saved yet.`,
        "info",
        {
          label: "Undo",
          run: () => void takeBack().catch(showError),
        },
      );
      editor.focus();
    },
    reject: () => {
      const offered = nextEdits.offered.value;
      if (offered) nextEdits.rejected(offered.item);
      editor.trigger("emend", "editor.action.inlineSuggest.hide", {});
      editor.focus();
    },
  };
  editor.addAction({
    ...{ id: "emend.goToNextEdit", label: "Emend: Go to the Next Edit", keybindings: [altN] },
    run: () => actions.go().catch(showError),
  });
  editor.addAction({
    ...{
      id: "emend.takeAllNextEdits",
      label: "Emend: Accept All Related Edits",
      precondition: "emendHasNextEdit",
    },
    run: () => actions.takeAll().catch(showError),
  });
  // The message with the button disappears after some seconds.
  editor.addAction({
    ...{
      id: "emend.undoAcceptAll",
      label: "Emend: Undo Accept All",
      precondition: "emendHasAcceptedAll",
    },
    run: () => takeBack().catch(showError),
  });
  const goCommand = bindTabAndEscape(
    editor,
    { documents, nextEdits },
    { go: () => actions.go().catch(showError), reject: actions.reject },
  );
  const takeCommand = bindTabAfterJump(editor, actions.take);
  return { ...actions, tab: tabMeaningIn(editor, { go: goCommand, take: takeCommand }) };
}

/** Whether a next edit is in the active document, which changes after the request. */
export function isInActive({ active }: Pick<Documents, "active">, { textDocument }: NextEditItem): boolean {
  return active.value?.uri === textDocument.uri;
}

/** The number of edits: the active next edit and its related edits. */
export function countOf({ item }: OfferedNextEdit): number {
  return 1 + item.others.filter(({ isSameChain }) => isSameChain).length;
}

/** The paths, the first three by name. */
function listOf(changed: readonly ProposedFile[]): string {
  const paths = changed.map(({ path }) => path);
  const named = paths.length > 4 ? [...paths.slice(0, 3), `${paths.length - 3} more files`] : paths;
  return new Intl.ListFormat("en").format(named);
}

const altN = monaco.KeyMod.Alt | monaco.KeyCode.KeyN;

/** Where Tab and Esc have no other meaning, for an edit that the editor does not show. */
const isFree = [
  "editorTextFocus && emendNextEditIsElsewhere && emendCursorIsBehindText && !editorHasSelection",
  "!editorTabMovesFocus && !suggestWidgetVisible && !inSnippetMode && !inlineSuggestionVisible && !inlineEditIsVisible",
  "!parameterHintsVisible && !findWidgetVisible && !editorReadonly",
].join(" && ");

/**
 * Binds Tab where the cursor has just jumped to an edit on an empty line: Monaco indents there,
 * although Tab accepts the edit on any other line. Returns the command.
 */
function bindTabAfterJump(editor: monaco.editor.IStandaloneCodeEditor, take: () => void): string | null {
  const hasJumped = editor.createContextKey<boolean>("emendHasJumpedToNextEdit", false);
  editor.onDidChangeCursorPosition(({ source }) => hasJumped.set(source === "inlineCompletions.jump"));
  return editor.addCommand(
    monaco.KeyCode.Tab,
    take,
    "editorTextFocus && inlineEditIsVisible && emendHasJumpedToNextEdit && !editorTabMovesFocus && !suggestWidgetVisible",
  );
}

function bindTabAndEscape(
  editor: monaco.editor.IStandaloneCodeEditor,
  { documents, nextEdits }: Pick<NextEditActionParts, "documents" | "nextEdits">,
  { go, reject }: { go(): void; reject(): void },
): string | null {
  const hasNextEdit = editor.createContextKey<boolean>("emendHasNextEdit", false);
  const isElsewhere = editor.createContextKey<boolean>("emendNextEditIsElsewhere", false);
  // Tab indents in leading whitespace.
  const isBehindText = editor.createContextKey<boolean>("emendCursorIsBehindText", false);
  const stop = effect(() => {
    const item = nextEdits.offered.value?.item;
    hasNextEdit.set(item !== undefined);
    isElsewhere.set(item !== undefined && (!isInActive(documents, item) || item.edits.length === 0));
  });
  editor.onDidDispose(stop);
  editor.onDidChangeCursorPosition(({ position }) => {
    const line = editor.getModel()?.getLineContent(position.lineNumber) ?? "";
    isBehindText.set(line.slice(0, position.column - 1).trim() !== "");
  });
  editor.addCommand(monaco.KeyCode.Escape, reject, isFree);
  return editor.addCommand(monaco.KeyCode.Tab, go, isFree);
}
