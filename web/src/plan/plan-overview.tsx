import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { VerdictView } from "../../../src/plan/page/plan-view.ts";
import type { PlanViewParams } from "../../../src/server/protocol/plan-protocol.ts";
import { FileChange } from "../diff/file-change.tsx";
import { readFileDiffs } from "../diff/file-diff.ts";
import { codeIn } from "../look/code-in.tsx";

/** The overview of a plan: its end, the verification results of each round, and its changes. */
export function PlanOverview({ shown }: { readonly shown: PlanViewParams }): JSX.Element {
  const { view, diff, isRunning, problem } = shown;
  const { files } = useMemo(() => readFileDiffs(diff ?? ""), [diff]);
  return (
    <div class="plan-overview">
      {/* The panel shows a problem. */}
      {view.end !== undefined && !isRunning && problem === undefined && <p class="plan-end">{codeIn(view.end)}</p>}
      <Verdicts verdicts={view.verdicts} isRunning={isRunning} />
      {files.length > 0 && (
        <section aria-labelledby="plan-changes-title">
          <h2 id="plan-changes-title">Changes</h2>
          {files.map((file) => (
            <FileChange key={file.path} diff={file} />
          ))}
        </section>
      )}
      {view.verdicts.length === 0 && files.length === 0 && view.steps.length > 0 && (
        <p class="dim">
          {isRunning ? "Select a step to see its reasons and progress." : "Select a step to see its changes."}
        </p>
      )}
    </div>
  );
}

function Verdicts({
  verdicts,
  isRunning,
}: {
  readonly verdicts: readonly VerdictView[];
  readonly isRunning: boolean;
}): JSX.Element | null {
  if (verdicts.length === 0) return null;
  return (
    <section aria-labelledby="plan-verdicts-title">
      <h2 id="plan-verdicts-title">Verification results</h2>
      <ol class="verdicts">
        {verdicts.map((verdict, at) => (
          <Verdict
            key={`${verdict.round} ${verdict.verifier} ${at}`}
            verdict={verdict}
            isLast={at === verdicts.length - 1 && !isRunning}
          />
        ))}
      </ol>
    </section>
  );
}

function Verdict({ verdict, isLast }: { readonly verdict: VerdictView; readonly isLast: boolean }): JSX.Element {
  const { round, verifier, verdict: kind, summary: title, findings, count } = verdict;
  const head = (
    <>
      <span class="verdict-round">{round === 0 ? "before" : `round ${round}`}</span>
      <code>{verifier}</code>
      <span class={`badge ${kind === "no-findings" ? "good" : "bad"}`}>{title}</span>
    </>
  );
  if (findings.length === 0) return <li class="verdict">{head}</li>;
  return (
    <li>
      <details open={isLast}>
        <summary class="verdict">{head}</summary>
        <ul class="findings code">
          {findings.map((finding) => (
            <li key={finding}>{finding}</li>
          ))}
          {count > findings.length && <li class="dim">and {count - findings.length} more</li>}
        </ul>
      </details>
    </li>
  );
}
