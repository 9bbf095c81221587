import { effect } from "@preact/signals";
import type { Documents } from "../editor/documents.ts";
import { monaco } from "../editor/monaco.ts";
import { fromMonacoPosition } from "../editor/positions.ts";
import type { NextEditProvider } from "./next-edit-provider.ts";
import type { NextEdits, OfferedNextEdit } from "./next-edits.ts";

/** What goes to next edits and takes them. */
export interface NextEditActions {
  /** To the place of what is offered, wherever that is; asks first where nothing is. */
  go(): Promise<void>;
  /** To one of the places. */
  visit(uri: string, range: OfferedNextEdit["item"]["range"]): Promise<void>;
  /** All of the chain at once. */
  takeAll(): Promise<void>;
  reject(): void;
}

/** What the actions work on. */
export interface NextEditActionParts {
  readonly documents: Documents;
  readonly nextEdits: NextEdits;
  readonly provider: NextEditProvider;
  tell(message: string, kind?: "info" | "error"): void;
}

/**
 * Makes the actions of an editor, and their keys: Alt+N everywhere, Tab and Esc only where they
 * mean nothing else.
 */
export function addNextEditKeys(
  editor: monaco.editor.IStandaloneCodeEditor,
  { documents, nextEdits, provider, tell }: NextEditActionParts,
): NextEditActions {
  const ask = async () => {
    const model = editor.getModel();
    const position = editor.getPosition();
    const document = model && documents.ofModel(model);
    if (!document || !position) return;
    const answer = await nextEdits.ask({ document, position: fromMonacoPosition(position) }, "invoked");
    if (answer.kind === "silent") tell(`No next edit: ${answer.text}`);
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
      // Over there it is an edit of the document that is seen.
      if (item.edits.length > 0) await ask();
      else nextEdits.clear();
    },
    takeAll: async () => {
      const offered = nextEdits.offered.value;
      if (offered === undefined) return;
      const whole = await nextEdits.whole(offered.item);
      if (whole === undefined) return tell("Taken together these edits would break something: take them one by one.");
      const { applied, failureReason } = await documents.apply(whole);
      if (!applied) return tell(failureReason ?? "The edits could not be applied", "error");
      tell(`Changed ${countOf(offered)} places`);
      editor.focus();
    },
    reject: () => {
      const offered = nextEdits.offered.value;
      if (offered) nextEdits.rejected(offered.item);
      editor.trigger("emend", "editor.action.inlineSuggest.hide", {});
      editor.focus();
    },
  };
  const say = (error: unknown) => tell(error instanceof Error ? error.message : String(error), "error");
  editor.addAction({
    ...{ id: "emend.goToNextEdit", label: "Emend: Go to the Next Edit", keybindings: [altN] },
    run: () => actions.go().catch(say),
  });
  editor.addAction({
    ...{
      id: "emend.takeAllNextEdits",
      label: "Emend: Accept All Edits of the Chain",
      precondition: "emendHasNextEdit",
    },
    run: () => actions.takeAll().catch(say),
  });
  bindTabAndEscape(editor, nextEdits, { go: () => actions.go().catch(say), reject: actions.reject });
  return actions;
}

/** Places of what is offered, with all that is one thing with it. */
export function countOf({ item }: OfferedNextEdit): number {
  return 1 + item.others.filter(({ isSameChain }) => isSameChain).length;
}

const altN = monaco.KeyMod.Alt | monaco.KeyCode.KeyN;

/** Where Tab and Esc of an edit that is not drawn in the editor mean nothing else. */
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
  // In front of a line's text Tab indents.
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
