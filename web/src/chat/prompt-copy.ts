import { useState } from "preact/hooks";
import { errorMessage } from "../../../src/text/index.ts";
import { copyText } from "./copy-text.ts";

/** What a {@link usePromptCopy} copies, and how it tells the user. */
export interface PromptCopyParts {
  /** The prompt to paste into a chat; rejects with an error for people. */
  readonly textFor: () => Promise<string>;
  /** Why no prompt can be copied yet. */
  readonly missing?: string | undefined;
  readonly showMessage: (message: string, kind?: "info" | "error") => void;
}

/** Copies a prompt to the clipboard, and keeps it to be shown. */
export interface PromptCopy {
  readonly missing: string | undefined;
  /** The last prompt. */
  readonly text: string | undefined;
  readonly isBusy: boolean;
  /** Copies the prompt, or says what is missing. Never rejects. */
  copy(): Promise<void>;
}

/** A prompt for any chat that a button or a key copies. */
export function usePromptCopy({ textFor, missing, showMessage }: PromptCopyParts): PromptCopy {
  const [text, setText] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const copy = async () => {
    if (missing !== undefined) return showMessage(missing, "error");
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
  return { missing, text, isBusy, copy };
}
