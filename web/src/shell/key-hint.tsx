import type { JSX } from "preact";
import { kept } from "../kept.ts";
import { Icon } from "../look/icons.tsx";
import "./key-hint.css";

/**
 * Whether the list of keys is visible: at the first visit, until the user hides it or accepts a
 * suggestion.
 */
export const areKeysShown = kept("emend.areKeysShown", true);

/** The list of keys covers code, so it is hidden after this many typed characters. */
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

const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["Tab"], "accept ghost text; go to the next edit, then accept it"],
  [["Ctrl", "→"], "accept a word"],
  [["Ctrl", "Alt", "→"], "accept a line"],
  [["Alt", "]"], "show another suggestion"],
  [["Alt", "\\"], "request ghost text"],
  [["Alt", "N"], "request the next edit"],
  [["Esc"], "dismiss the suggestion"],
  [["Ctrl", "S"], "save"],
  [["F6"], "focus the next part of the page"],
  [["F1"], "show all commands"],
];

/**
 * The list of keys in a corner of the editor; `onClose` is called after the user hides the list.
 */
export function KeyHint({ onClose }: { onClose(): void }): JSX.Element | null {
  if (!areKeysShown.value) return null;
  return (
    <aside class="key-hint" aria-label="Keys">
      <div class="key-hint-title">
        <h2>Keyboard shortcuts</h2>
        <button
          type="button"
          class="button quiet icon-only"
          aria-label="Hide keys"
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
    </aside>
  );
}
