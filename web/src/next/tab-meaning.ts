import { type ReadonlySignal, signal } from "@preact/signals";
import { StandaloneServices } from "monaco-editor/editor/standalone/browser/standaloneServices.js";
import { IContextKeyService } from "monaco-editor/platform/contextkey/common/contextkey.js";
import { IKeybindingService } from "monaco-editor/platform/keybinding/common/keybinding.js";
import { monaco } from "../editor/monaco.ts";

/**
 * What the Tab key does in the editor at the moment: it goes to the next edit, accepts the
 * suggestion at the cursor, or has another meaning, such as indenting.
 */
export type TabMeaning = "go" | "accept" | "other";

/**
 * Follows the meaning of Tab in an editor, as the editor itself resolves the key. `go` is the
 * command that goes to a next edit which the editor does not show, `take` one that accepts an edit
 * which it shows.
 */
export function tabMeaningIn(
  editor: monaco.editor.IStandaloneCodeEditor,
  own: { readonly go: string | null; readonly take: string | null },
): ReadonlySignal<TabMeaning> {
  const tab = {
    ...{ keyCode: monaco.KeyCode.Tab, ctrlKey: false, shiftKey: false, altKey: false, metaKey: false },
    browserEvent: {},
  };
  const read = (): TabMeaning => {
    const element = editor.getDomNode();
    const { commandId } = element === null ? {} : StandaloneServices.get(IKeybindingService).softDispatch(tab, element);
    if (commandId === undefined || commandId === null) return "other";
    if (commandId === "editor.action.inlineSuggest.commit" || commandId === own.take) return "accept";
    return commandId === "editor.action.inlineSuggest.jump" || commandId === own.go ? "go" : "other";
  };
  const meaning = signal(read());
  const update = () => {
    meaning.value = read();
  };
  const following = contextKeysOf(editor).onDidChangeContext(update);
  editor.onDidDispose(() => following.dispose());
  return meaning;
}

/** Whether the editor shows ghost text, or an edit at a place of its document. */
export function isShownIn(
  editor: monaco.editor.IStandaloneCodeEditor,
  what: "inlineSuggestionVisible" | "inlineEditIsVisible",
): boolean {
  return contextKeysOf(editor).getContextKeyValue(what) === true;
}

type ContextKeys = (typeof IContextKeyService)["service"];

/** The editor with the method that its declarations lack. */
type EditorWithServices = monaco.editor.IStandaloneCodeEditor & {
  invokeWithinContext<Value>(read: (services: { get(name: typeof IContextKeyService): ContextKeys }) => Value): Value;
};

function contextKeysOf(editor: monaco.editor.IStandaloneCodeEditor): ContextKeys {
  return (editor as EditorWithServices).invokeWithinContext((services) => services.get(IContextKeyService));
}
