import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import type { PromptCopy } from "./prompt-copy.ts";
import "./chat-exchange.css";

/** The properties of {@link ChatExchange}. */
export interface ChatExchangeParts {
  readonly prompt: PromptCopy;
  readonly onAnswer: (answer: string) => void;
  /** The label of the button that submits the answer. */
  readonly submitLabel: string;
}

/**
 * Replaces a model request by any chat: a prompt to copy, and a field for the answer of the chat.
 */
export function ChatExchange({ prompt, onAnswer, submitLabel }: ChatExchangeParts): JSX.Element {
  const [answer, setAnswer] = useState("");
  const id = useId();
  const { missing, text } = prompt;
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
            disabled={missing !== undefined || prompt.isBusy}
            onClick={() => void prompt.copy()}
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
