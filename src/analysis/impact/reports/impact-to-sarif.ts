import { capitalized } from "../../../text/index.ts";
import { printCoverage } from "../impact-coverage.ts";
import type { AffectedView, BlockView, ImpactView } from "../impact-view.ts";
import { printBlock } from "../impact-view.ts";

/** Options of {@link toImpactSarif}. */
export interface ImpactSarifOptions {
  /** The version of Emend. */
  readonly version: string;
  /** Whether possibly affected blocks are included, as notes. */
  readonly all?: boolean;
}

/**
 * The impact as a SARIF 2.1.0 log, which code hosts show on pull requests: one result for each
 * block to do (`warning`), with `all` also for possibly affected ones (`note`). Touched blocks are
 * left out.
 *
 * The rule is the first relation of the path, such as `impact/called-by`, or `impact/type-error`
 * where there is no path; the rank is the likelihood from 0 to 100; the code flow is the path from
 * the change. The coverage becomes notifications, gaps as warnings. Source: OASIS, Static Analysis
 * Results Interchange Format 2.1.0.
 */
export function toImpactSarif(view: ImpactView, { version, all = false }: ImpactSarifOptions): object {
  const reported = view.affected.filter(({ status }) => status === "to-do" || (all && status === "possible"));
  const rules = [...new Set(reported.map(ruleOf))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "emend impact",
            version,
            rules: rules.map((id) => ({
              id,
              name: nameOfRule(id),
              shortDescription: { text: describe(id) },
              defaultConfiguration: { level: "warning" },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { description: { text: "The folder of the workspace." } } },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: printCoverage(view.coverage).map(({ kind, text }) => ({
              level: kind === "gap" ? "warning" : "note",
              message: { text },
            })),
          },
        ],
        results: reported.map((one) => resultOf(one, view, rules)),
      },
    ],
  };
}

function ruleOf({ path }: AffectedView): string {
  return `impact/${path[1]?.relation ?? "type-error"}`;
}

function nameOfRule(id: string): string {
  return id.replace(/(?:^|[/-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function describe(id: string): string {
  const relation = id.slice("impact/".length);
  if (relation === "type-error")
    return "A block in which the type checker reports an error once the change is made, and that was not changed.";
  return `A block that a change may affect along "${relation}", and that was not changed.`;
}

function resultOf(one: AffectedView, view: ImpactView, rules: readonly string[]): object {
  const { block, status, likelihood, reasons, path, change } = one;
  const ruleId = ruleOf(one);
  const changed = change === undefined ? undefined : view.changes[change];
  const why = reasons.length === 0 ? "" : `: it ${reasons.map((reason) => reason.replace(/^it /, "")).join("; ")}`;
  const text = `${capitalized(printBlock(block))} may have to change (${Math.round(likelihood * 100)} %)${why}.`;
  return {
    ...{ ruleId, ruleIndex: rules.indexOf(ruleId), level: status === "to-do" ? "warning" : "note" },
    message: { text },
    rank: Math.round(likelihood * 1000) / 10,
    locations: [locationOf(block)],
    partialFingerprints: { "emendImpact/v1": `${block.id} ${changed?.block.id ?? ""} ${changed?.label ?? ""}` },
    ...(changed && { relatedLocations: [locationOf(changed.block, `${printBlock(changed.block)}: ${changed.words}`)] }),
    ...(path.length > 1 && {
      codeFlows: [
        {
          threadFlows: [
            {
              locations: path.map((step, index) => {
                const words =
                  index === 0
                    ? `${printBlock(step.block)}: ${changed?.words ?? "changed"}`
                    : `${printBlock(step.block)} ${step.words} ${printBlock(path[index - 1]!.block)}`;
                return { location: locationOf(step.block, words), executionOrder: index + 1 };
              }),
            },
          ],
        },
      ],
    }),
  };
}

function locationOf({ path, line, column, endLine, endColumn, isGone }: BlockView, message?: string): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: path.split("/").map(encodeURIComponent).join("/"), uriBaseId: "SRCROOT" },
      // A removed block has no region in the current file.
      ...(!isGone && { region: { startLine: line, startColumn: column, endLine, endColumn } }),
    },
    ...(message !== undefined && { message: { text: message } }),
  };
}
