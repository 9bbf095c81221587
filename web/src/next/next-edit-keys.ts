import { effect } from "@preact/signals";
import { errorMessage } from "../../../src/text/index.ts";
import type { Documents } from "../editor/documents.ts";
import { monaco } from "../editor/monaco.ts";
import { fromMonacoPosition } from "../editor/positions.ts";
import type { NextEditProvider } from "./next-edit-provider.ts";
import type { NextEdits, OfferedNextEdit } from "./next-edits.ts";

/** The actions that navigate to next edits and accept or reject them. */
export interface NextEditActions {
  /** Goes to the location of the active next edit, in any file; requests one if none is active. */
  go(): Promise<void>;
  /** Goes to a location. */
  visit(uri: string, range: OfferedNextEdit["item"]["range"]): Promise<void>;
  /** Accepts all related edits. */
  takeAll(): Promise<void>;
  reject(): void;
}

/** The dependencies of the actions. */
export interface NextEditActionParts {
  readonly documents: Documents;
  readonly nextEdits: NextEdits;
  readonly provider: NextEditProvider;
  showMessage(message: string, kind?: "info" | "error"): void;
}

/**
 * Adds the actions of next edits to an editor, with their keys: Alt+N everywhere, Tab and Esc only
 * where they have no other meaning.
 */
export function addNextEditKeys(
  editor: monaco.editor.IStandaloneCodeEditor,
  { documents, nextEdits, provider, showMessage }: NextEditActionParts,
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
  const actions: NextEditActions = {
    visit,
    go: async () => {
      const offered = nextEdits.offered.value;
      if (offered === undefined) return ask();
      const { item } = offered;
      if (!item.isElsewhere && item.edits.length > 0) {
        editor.focus();
        return void editor.trigger("emend", "editor.action.inlineSuggest.jump", {});
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
      if (whole === undefined) return showMessage("These edits cannot be applied together. Accept them one by one.");
      const { applied, failureReason } = await documents.apply(whole);
      if (!applied) return showMessage(failureReason ?? "The edits could not be applied.", "error");
      showMessage(`Applied ${countOf(offered)} edits.`);
      editor.focus();
    },
    reject: () => {
      const offered = nextEdits.offered.value;
      if (offered) nextEdits.rejected(offered.item);
      editor.trigger("emend", "editor.action.inlineSuggest.hide", {});
      editor.focus();
    },
  };
  const showError = (error: unknown) => showMessage(errorMessage(error), "error");
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
  bindTabAndEscape(editor, nextEdits, { go: () => actions.go().catch(showError), reject: actions.reject });
  return actions;
}

/** The number of edits: the active next edit and its related edits. */
export function countOf({ item }: OfferedNextEdit): number {
  return 1 + item.others.filter(({ isSameChain }) => isSameChain).length;
}

const altN = monaco.KeyMod.Alt | monaco.KeyCode.KeyN;

/** Where Tab and Esc have no other meaning, for an edit that the editor does not show. */
const isFree = [
  "editorTextFocus && emendNextEditIsElsewhere && emendCursorIsBehindText && !editorHasSelection",
  "!editorTabMovesFocus && !suggestWidgetVisible && !inSnippetMode && !inlineSuggestionVisible && !inlineEditIsVisible",
  "!parameterHintsVisible && !findWidgetVisible && !editorReadonly",
].join(" && ");

function bindTabAndEscape(
  editor: monaco.editor.IStandaloneCodeEditor,
  nextEdits: NextEdits,
  { go, reject }: { go(): void; reject(): void },
): void {
  const hasNextEdit = editor.createContextKey<boolean>("emendHasNextEdit", false);
  const isElsewhere = editor.createContextKey<boolean>("emendNextEditIsElsewhere", false);
  // Tab indents in leading whitespace.
  const isBehindText = editor.createContextKey<boolean>("emendCursorIsBehindText", false);
  const stop = effect(() => {
    const item = nextEdits.offered.value?.item;
    hasNextEdit.set(item !== undefined);
    isElsewhere.set(item !== undefined && (item.isElsewhere || item.edits.length === 0));
  });
  editor.onDidDispose(stop);
  editor.onDidChangeCursorPosition(({ position }) => {
    const line = editor.getModel()?.getLineContent(position.lineNumber) ?? "";
    isBehindText.set(line.slice(0, position.column - 1).trim() !== "");
  });
  editor.addCommand(monaco.KeyCode.Tab, go, isFree);
  editor.addCommand(monaco.KeyCode.Escape, reject, isFree);
}
