import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../look/icons.tsx";
import "./messages.css";

interface Message {
  readonly id: number;
  readonly text: string;
  readonly kind: "info" | "error";
}

const messages: Signal<readonly Message[]> = signal([]);
let lastId = 0;

/**
 * Information goes by itself after so many milliseconds in which nobody points at it; an error
 * stays until it is closed.
 */
const seenMs = 6_000;

/** Says something to the person. */
export function tell(text: string, kind: Message["kind"] = "info"): void {
  if (messages.value.some((one) => one.text === text)) return;
  lastId += 1;
  messages.value = [...messages.value.slice(-2), { id: lastId, text, kind }];
}

function forget(id: number): void {
  messages.value = messages.value.filter((one) => one.id !== id);
}

/**
 * What was said last, read out, and seen over the lower end of what holds it. Escape closes the
 * last one where it means nothing else.
 */
export function Messages(): JSX.Element {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const last = messages.value.at(-1);
      // Whoever has a use for the key has prevented its default by now: the editor, a field, a
      // list.
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || last === undefined) return;
      event.preventDefault();
      forget(last.id);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <div class="messages" role="log" aria-label="Messages" aria-live="polite">
      {messages.value.map((message) => (
        <MessageBox key={message.id} message={message} />
      ))}
    </div>
  );
}

function MessageBox({ message: { id, text, kind } }: { readonly message: Message }): JSX.Element {
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isGoing = kind === "info" && !isPointedAt && !isFocused;
  useEffect(() => {
    if (!isGoing) return;
    const going = setTimeout(() => forget(id), seenMs);
    return () => clearTimeout(going);
  }, [isGoing, id]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Nothing is done by pointing: what is being read just does not go.
    <div
      class={`message ${kind}`}
      onMouseEnter={() => setPointedAt(true)}
      onMouseLeave={() => setPointedAt(false)}
      onFocusIn={() => setFocused(true)}
      onFocusOut={() => setFocused(false)}
    >
      {kind === "error" && <Icon name="warning" />}
      <span>{text}</span>
      <button
        type="button"
        class="button quiet icon-only"
        aria-label="Close the message"
        title="Close (Esc)"
        onClick={() => forget(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
