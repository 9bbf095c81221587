import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { FileChange } from "../diff/file-change.tsx";
import { tryFileDiff } from "../diff/file-diff.ts";
import type { Page } from "../start-page.ts";
import { ConflictChoices } from "./conflict-choices.tsx";
import type { OpenDocument } from "./documents.ts";
import "./disk-comparison.css";

/** The id of the view of a comparison, of which there is one at a time. */
export const comparisonId = "comparison";

/** Shows what the editor has that the disk does not have, until the conflict is resolved. */
export function showComparison(page: Page, document: OpenDocument): void {
  const shown = page.views.show({
    ...{ id: comparisonId, title: `${document.path.split("/").at(-1)} (disk, editor)` },
    render: () => <Comparison page={page} document={document} onEnd={() => shown[Symbol.dispose]()} />,
  });
}

interface ComparisonParts {
  readonly page: Page;
  readonly document: OpenDocument;
  /** Called when there is nothing to compare any more. */
  onEnd(): void;
}

function Comparison({ page, document, onEnd }: ComparisonParts): JSX.Element | null {
  const { path, model } = document;
  const [text, setText] = useState(() => model.getValue());
  const own = useRef<HTMLElement>(null);
  const conflict = page.documents.all.value.includes(document) ? document.conflict.value : undefined;
  const onDisk = conflict?.kind === "changed" ? conflict.onDisk.text : undefined;
  const diff = useMemo(
    () => (onDisk === undefined ? undefined : tryFileDiff({ path, before: onDisk, after: text })),
    [path, onDisk, text],
  );
  useEffect(() => {
    const listening = model.onDidChangeContent(() => setText(model.getValue()));
    return () => listening.dispose();
  }, [model]);
  useEffect(() => own.current?.focus(), []);
  useEffect(() => {
    if (onDisk === undefined) onEnd();
  }, [onDisk, onEnd]);
  if (diff === undefined) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A scrollable region must be reachable by keyboard.
    <section class="comparison scroll" tabIndex={0} ref={own} aria-label="Comparison with the disk">
      <div class="comparison-choices">
        <p>
          <b>−</b> is on the disk, <b>+</b> is in the editor. Nothing is written before you choose.
        </p>
        <ConflictChoices page={page} document={document} />
      </div>
      <FileChange diff={diff} />
    </section>
  );
}
