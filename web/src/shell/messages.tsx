import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../look/icons.tsx";
import { useEscape } from "./use-escape.ts";
import "./messages.css";

interface Message {
  readonly id: number;
  readonly text: string;
  readonly kind: "info" | "error";
  readonly action: MessageAction | undefined;
}

/** What a message offers to do. */
export interface MessageAction {
  /** The text of its button. */
  readonly label: string;
  /** The name of the button in the palette; absent where it is not a command. */
  readonly command?: string;
  run(): void;
}

const messages: Signal<readonly Message[]> = signal([]);
let lastId = 0;

/**
 * The time until an information message disappears, in milliseconds, unless it is hovered or
 * focused. Errors and messages with an action stay until the user closes them.
 */
const seenMs = 6_000;

/** Shows a message to the user; repeated messages are shown once. */
export function showMessage(text: string, kind: Message["kind"] = "info", action?: MessageAction): void {
  if (messages.value.some((one) => one.text === text)) return;
  lastId += 1;
  messages.value = [...messages.value.slice(-2), { id: lastId, text, kind, action }];
}

function forget(id: number): void {
  messages.value = messages.value.filter((one) => one.id !== id);
}

function forgetLast(): void {
  messages.value = messages.value.slice(0, -1);
}

/**
 * The last messages, over the lower end of the main area and announced by screen readers. Escape
 * closes the last message where the key has no other meaning.
 */
export function Messages(): JSX.Element {
  useEscape(messages.value.length === 0 ? undefined : forgetLast);
  return (
    <div class="messages" role="log" aria-label="Messages" aria-live="polite">
      {messages.value.map((message) => (
        <MessageBox key={message.id} message={message} />
      ))}
    </div>
  );
}

function MessageBox({ message: { id, text, kind, action } }: { readonly message: Message }): JSX.Element {
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isGoing = kind === "info" && action === undefined && !isPointedAt && !isFocused;
  useEffect(() => {
    if (!isGoing) return;
    const going = setTimeout(() => forget(id), seenMs);
    return () => clearTimeout(going);
  }, [isGoing, id]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Hovering only keeps the message visible.
    <div
      class={`message ${kind}`}
      onMouseEnter={() => setPointedAt(true)}
      onMouseLeave={() => setPointedAt(false)}
      onFocusIn={() => setFocused(true)}
      onFocusOut={() => setFocused(false)}
    >
      {kind === "error" && <Icon name="warning" />}
      <span>{text}</span>
      {action && (
        <button
          type="button"
          class="button"
          data-command={action.command}
          onClick={() => {
            forget(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        class="button quiet icon-only"
        aria-label="Close message"
        title="Close (Esc)"
        onClick={() => forget(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
