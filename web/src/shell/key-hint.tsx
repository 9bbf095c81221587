import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { Icon } from "../look/icons.tsx";
import { closeSheet, isNarrow, shownSheet } from "./sheets.ts";
import { useEscape } from "./use-escape.ts";
import "./key-hint.css";

/**
 * A cookie for all paths, because each start of the server has another port, and so another
 * `localStorage`, and another path. The server ignores it.
 */
const seenCookie = "emendKeysSeen=1";

/**
 * Whether the list of keys is visible: at the very first visit of this machine, until the user
 * hides it or accepts a suggestion.
 */
const areKeysShown = signal(!document.cookie.includes(seenCookie));
// biome-ignore lint/suspicious/noDocumentCookie: The Cookie Store API is missing in Firefox and Safari before 2025.
document.cookie = `${seenCookie}; path=/; max-age=31536000; samesite=strict`;

/** Whether the list is visible now: an open sheet of a narrow window takes its place. */
export const areKeysVisible: ReadonlySignal<boolean> = computed(
  () => areKeysShown.value && !(isNarrow.value && shownSheet.value !== undefined),
);

/** Shows the list of keys, or hides it where it is visible. */
export function toggleKeys(): void {
  if (areKeysVisible.value) hideKeys();
  else {
    if (isNarrow.value) closeSheet();
    areKeysShown.value = true;
  }
}

/** The list of keys takes height from the code, so it is hidden after this many characters. */
const hideAfterCharacters = 40;
let typed = 0;

/**
 * Counts typed characters, and hides the list of keys after {@link hideAfterCharacters} of them.
 */
export function countTypedCharacters(count: number): void {
  if (!areKeysShown.value) return;
  typed += count;
  if (typed >= hideAfterCharacters) hideKeys();
}

/** Hides the list of keys; the button *Keys* of the page shows the list again. */
export function hideKeys(): void {
  typed = 0;
  areKeysShown.value = false;
}

type Keys = readonly (readonly [keys: readonly string[], what: string])[];

const everywhere: Keys = [
  [["Ctrl", "P"], "go to a file"],
  [["F1"], "show all commands"],
  [["Ctrl", "S"], "save"],
  [["Alt", "N"], "request the next edit"],
  [["F6"], "focus the next part of the page"],
];

const inEditor: Keys = [
  [["Tab"], "accept ghost text; go to the next edit, then accept it"],
  [["Ctrl", "→"], "accept a word"],
  [["Ctrl", "Alt", "→"], "accept a line"],
  [["Alt", "]"], "show another suggestion"],
  [["Alt", "\\"], "request ghost text"],
  [["Esc"], "dismiss the suggestion"],
];

/** The keys of the views in front of the editor, by their ids. */
const inViews: Readonly<Record<string, Keys>> = {
  edit: [
    [["Ctrl", "Enter"], "accept the change"],
    [["Esc"], "stop the model, or reject the change"],
  ],
  plan: [
    [["→"], "go to an effect, or with ← to a cause"],
    [["↓"], "go to the step below, or with ↑ above"],
    [["Enter"], "show the step"],
    [["+"], "zoom in, with - out, with 0 to fit"],
    [["/"], "filter the list of steps"],
    [["Esc"], "leave the step"],
  ],
};

interface KeyHintParts {
  /** The id of the view in front of the editor; `undefined` while the editor is visible. */
  readonly view: string | undefined;
  /** Called after the button was pressed. */
  onClose(): void;
}

/**
 * The keys of the editor, or of the view in front of it, and those that work everywhere, below all
 * parts of the page, in as many columns as fit. The button and Escape hide the list.
 */
export function KeyHint({ view, onClose }: KeyHintParts): JSX.Element | null {
  const isShown = areKeysVisible.value;
  useEscape(isShown ? hideKeys : undefined);
  if (!isShown) return null;
  const keysHere = view === undefined ? inEditor : inViews[view];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A scrollable region must be reachable by keyboard.
    <aside class="key-hint scroll" aria-label="Keys" tabIndex={0}>
      <div class="key-hint-title">
        <h2>Keyboard shortcuts</h2>
        <button
          type="button"
          class="button quiet icon-only"
          aria-label="Hide keys"
          title="Hide keys (Esc)"
          onClick={() => {
            hideKeys();
            onClose();
          }}
        >
          <Icon name="close" />
        </button>
      </div>
      <p class="dim">
        Suggestions appear while you type. Nothing leaves this machine unless you configure a remote model.
      </p>
      {keysHere && <KeyList title={view === undefined ? "In the editor" : "In this view"} keys={keysHere} />}
      <KeyList title="Everywhere" keys={everywhere} />
    </aside>
  );
}

function KeyList({ title, keys }: { readonly title: string; readonly keys: Keys }): JSX.Element {
  return (
    <>
      <h3>{title}</h3>
      <dl>
        {keys.map(([chord, what]) => (
          <div key={what}>
            <dt>
              {chord.map((key) => (
                <kbd key={key} class="key">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
