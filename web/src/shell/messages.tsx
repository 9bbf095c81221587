import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { codeIn } from "../look/code-in.tsx";
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
  run(): void;
}

const messages: Signal<readonly Message[]> = signal([]);
let lastId = 0;

/**
 * The time until an information message disappears, in milliseconds, unless it is hovered or
 * focused: longer with a button, which a person has to reach. Errors stay until the user closes
 * them, because the page has no list of earlier messages.
 */
const seenMs = { plain: 6_000, withAction: 15_000 };

/**
 * Shows a message to the user; repeated messages are shown once. Disposing closes the message.
 */
export function showMessage(text: string, kind: Message["kind"] = "info", action?: MessageAction): Disposable {
  const known = messages.value.find((one) => one.text === text);
  const id = known?.id ?? ++lastId;
  if (known === undefined) messages.value = [...messages.value.slice(-2), { id, text, kind, action }];
  return { [Symbol.dispose]: () => forget(id) };
}

function forget(id: number): void {
  messages.value = messages.value.filter((one) => one.id !== id);
}

function forgetLast(): void {
  messages.value = messages.value.slice(0, -1);
}

/** Closes all messages. */
export function closeMessages(): void {
  messages.value = [];
}

/**
 * The last messages, below the editor or the view in front of it, where they cover nothing, and
 * announced by screen readers. Escape closes the last message where the key has no other meaning.
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
  const isGoing = kind === "info" && !isPointedAt && !isFocused;
  const goingMs = action === undefined ? seenMs.plain : seenMs.withAction;
  useEffect(() => {
    if (!isGoing) return;
    const going = setTimeout(() => forget(id), goingMs);
    return () => clearTimeout(going);
  }, [isGoing, goingMs, id]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Hovering only keeps the message visible.
    <div
      class={`message ${kind}`}
      // A message that appears under a resting pointer is not hovered.
      onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setPointedAt(true)}
      onMouseLeave={() => setPointedAt(false)}
      onFocusIn={() => setFocused(true)}
      onFocusOut={() => setFocused(false)}
    >
      {kind === "error" && <Icon name="warning" />}
      <span>{codeIn(text)}</span>
      {action && (
        <button
          type="button"
          class="button"
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
