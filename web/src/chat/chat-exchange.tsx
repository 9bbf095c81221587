import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { errorMessage } from "../../../src/text/index.ts";
import { copyText } from "./copy-text.ts";
import "./chat-exchange.css";

/** The properties of {@link ChatExchange}. */
export interface ChatExchangeParts {
  /** The prompt to paste into the chat; rejects with an error for people. */
  readonly textFor: () => Promise<string>;
  /** Why no prompt can be copied yet. */
  readonly missing?: string | undefined;
  readonly onAnswer: (answer: string) => void;
  readonly showMessage: (message: string, kind?: "info" | "error") => void;
  /** The label of the button that submits the answer. */
  readonly submitLabel: string;
}

/**
 * Replaces a model request by any chat: a prompt to copy, and a field for the answer of the chat.
 */
export function ChatExchange({ textFor, missing, onAnswer, showMessage, submitLabel }: ChatExchangeParts): JSX.Element {
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
      showMessage(
        isCopied
          ? "Prompt copied. Paste it into a chat."
          : "The browser denied access to the clipboard. Copy prompt from the field.",
      );
    } catch (error) {
      showMessage(errorMessage(error), "error");
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
          <span>Send the prompt to any chat.</span>
          <button
            type="button"
            class="button"
            data-command="Chat: Copy Prompt"
            disabled={missing !== undefined || isBusy}
            onClick={() => void copy()}
          >
            Copy prompt
          </button>
        </div>
        {missing !== undefined && <p class="dim small">{missing}</p>}
        {text !== undefined && (
          <details>
            <summary class="dim small">Copied prompt, {text.length.toLocaleString("en")} characters</summary>
            <textarea class="field code" aria-label="Copied prompt" readOnly rows={6} value={text} />
          </details>
        )}
      </li>
      <li>
        <label for={`${id}-answer`}>Paste the complete answer</label>
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
          {submitLabel} <span class="key">Ctrl Enter</span>
        </button>
      </li>
    </ol>
  );
}
