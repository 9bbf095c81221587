import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { copyText } from "./copy-text.ts";
import "./chat-exchange.css";

/** What goes to a chat, and what comes back. */
export interface ChatExchangeParts {
  /** What to paste into the chat; rejects with an error for people. */
  readonly textFor: () => Promise<string>;
  /** Why there is nothing to copy yet, if so. */
  readonly missing?: string | undefined;
  readonly onAnswer: (answer: string) => void;
  readonly tell: (message: string, kind?: "info" | "error") => void;
  /** What the button says that takes the answer. */
  readonly takes: string;
}

/**
 * Lets a person do with any chat what a model would be asked: a text to copy, and a place for what
 * the chat said.
 */
export function ChatExchange({ textFor, missing, onAnswer, tell, takes }: ChatExchangeParts): JSX.Element {
  const [answer, setAnswer] = useState("");
  const [text, setText] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const copy = async () => {
    setBusy(true);
    try {
      const found = await textFor();
      setText(found);
      const isCopied = await copyText(found);
      tell(
        isCopied ? "Copied. Paste it into a chat." : "The browser did not let it be copied. Copy it from the field.",
      );
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error), "error");
    } finally {
      setBusy(false);
    }
  };
  const take = () => {
    if (answer.trim() !== "") onAnswer(answer);
  };
  return (
    <ol class="chat-exchange">
      <li>
        <div class="chat-step">
          <span>Give it to any chat.</span>
          <button type="button" class="button" disabled={missing !== undefined || isBusy} onClick={() => void copy()}>
            Copy the prompt
          </button>
        </div>
        {missing !== undefined && <p class="dim small">{missing}</p>}
        {text !== undefined && (
          <details>
            <summary class="dim small">What was copied, {text.length.toLocaleString("en")} characters</summary>
            <textarea class="field code" aria-label="What was copied" readOnly rows={6} value={text} />
          </details>
        )}
      </li>
      <li>
        <label for={`${id}-answer`}>Paste all that it said.</label>
        <textarea
          id={`${id}-answer`}
          class="field code"
          rows={5}
          spellcheck={false}
          value={answer}
          onInput={({ currentTarget }) => setAnswer(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            take();
          }}
        />
        <button type="button" class="button primary" disabled={answer.trim() === ""} onClick={take}>
          {takes} <span class="key">Ctrl Enter</span>
        </button>
      </li>
    </ol>
  );
}
