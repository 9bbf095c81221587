import type { JSX } from "preact";
import type { SessionStatus } from "../../../src/server/session/index.ts";
import { printCount, printCountOf, printMs } from "../look/numbers.ts";

/** The progress of the built-in model with the workspace, and the size of its vocabulary. */
export function Learning({ session: { learning, statistics } }: { readonly session: SessionStatus }): JSX.Element {
  const languages = Object.entries(statistics.languages).sort(([, a], [, b]) => b - a);
  return (
    <section>
      <h2>Learning</h2>
      {learning.kind === "failed" && <p class="notice bad">{learning.message}</p>}
      {learning.kind === "waiting" && <p class="dim">Waiting to start.</p>}
      {learning.kind === "learning" && (
        <label class="learning">
          {learning.phase === "looking"
            ? `Searching for files: ${printCount(learning.files)} found`
            : `${printCount(learning.files)} of ${printCountOf(learning.totalFiles, "file")}`}
          <progress
            {...(learning.totalBytes > 0 && { value: learning.bytes, max: learning.totalBytes })}
            aria-label="Learning the workspace"
          />
        </label>
      )}
      {learning.kind === "learnt" && (
        <label class="learning">
          {printCountOf(learning.files, "file")} learnt in {printMs(learning.tookMs)}
          <progress value={1} max={1} aria-label="Learning the workspace" />
        </label>
      )}
      {languages.length > 0 && (
        <ul class="marks">
          {languages.slice(0, 8).map(([language, files]) => (
            <li key={language}>
              {language} <span class="dim">{printCount(files)}</span>
            </li>
          ))}
        </ul>
      )}
      <p class="dim small">
        {printCountOf(statistics.tokens, "token")}, {printCount(statistics.distinctTokens)} distinct
      </p>
    </section>
  );
}
