import type { JSX } from "preact";
import type { ServerStatus } from "../../../src/server/server-status.ts";
import { disconnected } from "../link/wire.ts";
import { codeIn } from "../look/code-in.tsx";
import { printBytes, printCount, printCountOf, printMs, printShare } from "../look/numbers.ts";
import type { Page } from "../start-page.ts";
import { percentile } from "./latencies.ts";
import { Learning } from "./learning.tsx";
import { Models } from "./models.tsx";
import { whatTrustAllows } from "./trust-folder.ts";
import "./status.css";

/** The status of the server: models, learning, latency and resources. */
export function StatusPanel({ page }: { readonly page: Page }): JSX.Element {
  // What is known of a server that has stopped is no longer true.
  if (page.link.value === "lost") return <p class="notice bad">{codeIn(disconnected)}</p>;
  const status = page.server.status.value;
  if (status === undefined) return <p class="dim">Waiting for the status of the server.</p>;
  const { untrustedIssues: untrusted = [] } = status.condition;
  const session = status.sessions.find(({ root }) => root !== undefined) ?? status.sessions[0];
  return (
    <div class="status-panel">
      <Condition status={status} />
      {session && (
        <>
          {session.issues
            .filter((issue) => !untrusted.includes(issue))
            .map((issue) => (
              <p key={issue} class="notice warn">
                {codeIn(issue)}
              </p>
            ))}
          {untrusted.length > 0 && (
            <section class="notice warn untrusted" aria-labelledby="untrusted-title">
              <h2 id="untrusted-title">This folder is not trusted</h2>
              {untrusted.map((issue) => (
                <p key={issue}>{codeIn(issue)}</p>
              ))}
              <p>{whatTrustAllows}</p>
              <button type="button" class="button" onClick={page.trustFolder}>
                Trust this folder
              </button>
            </section>
          )}
          <Models session={session} onSetup={page.showSetup} />
          <Learning session={session} />
        </>
      )}
      <Speed page={page} status={status} />
      <section>
        <h2>Resources</h2>
        <dl class="facts-table">
          <Fact name="Cached answers" value={printCount(session?.load?.answers ?? 0)} />
          <Fact name="Model requests in flight" value={printCount(session?.load?.requests ?? 0)} />
          <Fact name="Open documents" value={printCount(status.openDocuments)} />
          <Fact name="Learnt data" value={printBytes(session?.statistics.bytes ?? 0)} />
          <Fact name="Process memory" value={printBytes(status.memory.rss)} />
          <Fact name="Heap memory" value={printBytes(status.memory.heapUsed)} />
        </dl>
      </section>
      <p class="dim small">Emend {status.version}</p>
    </div>
  );
}

function Condition({ status: { condition } }: { readonly status: ServerStatus }): JSX.Element | null {
  if (condition.message === "" || condition.kind === "normal") return null;
  return <p class={`notice ${condition.kind === "warning" ? "warn" : ""}`}>{codeIn(condition.message)}</p>;
}

function Speed({ page, status }: { readonly page: Page; readonly status: ServerStatus }): JSX.Element {
  const { ghostText, nextEdits } = status.requests;
  const rows = [
    { name: "Ghost text", figures: ghostText },
    { name: "Next edits", figures: nextEdits },
  ];
  const reasons = Object.entries(ghostText.byReason).sort(([, a], [, b]) => b - a);
  return (
    <section>
      <h2>Latency</h2>
      <table class="speed">
        <thead>
          <tr>
            <th scope="col">last requests</th>
            <th scope="col">median</th>
            <th scope="col">p95</th>
            <th scope="col">suggestions</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, figures: { count, p50Ms, p95Ms, suggestionShare } }) => (
            <tr key={name}>
              <th scope="row">
                {name} <span class="dim">{printCount(count)}</span>
              </th>
              <td>{p50Ms === undefined ? "–" : printMs(p50Ms)}</td>
              <td>{p95Ms === undefined ? "–" : printMs(p95Ms)}</td>
              <td>{suggestionShare === undefined ? "–" : printShare(suggestionShare)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Sparkline values={page.latencies.all.value} />
      {reasons.length > 0 && (
        <details>
          <summary>Reasons for no suggestion</summary>
          <ul class="reasons">
            {reasons.map(([reason, count]) => (
              <li key={reason}>
                <span class="code">{reason}</span>
                <span>{printCountOf(count, "time")}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The number of values in the chart. */
const shown = 80;

/** A bar chart of the last values, in milliseconds. */
function Sparkline({ values }: { readonly values: readonly number[] }): JSX.Element | null {
  const last = values.slice(-shown);
  if (last.length < 2) return null;
  const highest = Math.max(...last, 1);
  const median = percentile(last, 0.5) ?? 0;
  return (
    <figure class="sparkline">
      <svg viewBox={`0 0 ${shown * 4} 40`} preserveAspectRatio="none" aria-hidden="true">
        {last.map((value, index) => {
          const height = Math.max(1, (38 * value) / highest);
          return <rect key={index} x={(shown - last.length + index) * 4} y={40 - height} width="3" height={height} />;
        })}
      </svg>
      <figcaption class="dim small">
        Last {last.length} in this page: median {printMs(median)}, maximum {printMs(highest)}
      </figcaption>
    </figure>
  );
}
