import type { JSX } from "preact";
import { kept } from "../kept.ts";
import { Icon } from "../look/icons.tsx";
import "./key-hint.css";

/** Seen at the first visit, until it is put away or used. */
export const isHintShown = kept("emend.isHintShown", true);

/** Whoever has typed so many characters beside the keys has seen them. */
const enoughTyped = 40;
let typed = 0;

/** So many characters were typed: the keys cover code, and go once there are enough. */
export function typedBesideKeys(count: number): void {
  if (!isHintShown.value) return;
  typed += count;
  if (typed >= enoughTyped) putKeysAway();
}

/**
 * Puts the keys away, as whoever has taken a suggestion knows them; a button of the page shows them
 * again.
 */
export function putKeysAway(): void {
  typed = 0;
  isHintShown.value = false;
}

const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["Tab"], "take the grey text, or go to the next edit and take it"],
  [["Ctrl", "→"], "take one word of it"],
  [["Ctrl", "Alt", "→"], "take one line of it"],
  [["Alt", "]"], "another suggestion"],
  [["Alt", "\\"], "ask for one now"],
  [["Alt", "N"], "what to edit next, also in other files"],
  [["Esc"], "no, thank you"],
  [["Ctrl", "S"], "save"],
  [["F6"], "go around the parts of the page"],
  [["F1"], "all commands"],
];

/** The keys, in a corner of the editor; `onClose` is called once they are put away. */
export function KeyHint({ onClose }: { onClose(): void }): JSX.Element | null {
  if (!isHintShown.value) return null;
  return (
    <aside class="key-hint" aria-label="Keys">
      <div class="key-hint-title">
        <h2>Just type</h2>
        <button
          type="button"
          class="button quiet icon-only"
          aria-label="Put the keys away"
          onClick={() => {
            putKeysAway();
            onClose();
          }}
        >
          <Icon name="close" />
        </button>
      </div>
      <p class="dim">
        Suggestions come by themselves as grey text. Nothing leaves this machine unless you set up a remote model.
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
