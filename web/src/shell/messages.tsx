import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { Icon } from "../look/icons.tsx";
import "./messages.css";

interface Message {
  readonly id: number;
  readonly text: string;
  readonly kind: "info" | "error";
}

const messages: Signal<readonly Message[]> = signal([]);
let lastId = 0;

/** Information goes by itself after so many milliseconds; an error stays until it is closed. */
const seenMs = 6_000;

/** Says something to the person. */
export function tell(text: string, kind: Message["kind"] = "info"): void {
  if (messages.value.some((one) => one.text === text)) return;
  lastId += 1;
  const id = lastId;
  messages.value = [...messages.value.slice(-2), { id, text, kind }];
  if (kind === "info") setTimeout(() => forget(id), seenMs);
}

function forget(id: number): void {
  messages.value = messages.value.filter((one) => one.id !== id);
}

/** What was said last, over the page's corner and read out. */
export function Messages(): JSX.Element {
  return (
    <div class="messages" role="log" aria-label="Messages" aria-live="polite">
      {messages.value.map(({ id, text, kind }) => (
        <div key={id} class={`message ${kind}`}>
          {kind === "error" && <Icon name="warning" />}
          <span>{text}</span>
          <button
            type="button"
            class="button quiet icon-only"
            aria-label="Close the message"
            onClick={() => forget(id)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
