import type { JSX } from "preact";
import { kept } from "../kept.ts";
import { Icon } from "../look/icons.tsx";
import "./key-hint.css";

/** Seen at the first visit, until it is put away. */
export const isHintShown = kept("emend.isHintShown", true);

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
            isHintShown.value = false;
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
