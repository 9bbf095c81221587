import { isRecord } from "../../text/index.ts";
import { type Finding, type FindingPlace, finding, fromOne } from "./finding.ts";
import { numberOf, recordsOf, textOf, tryJsonInOutput } from "./json-in-output.ts";
import { outputLines, Reading, type VerifierReading } from "./verifier-reading.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads SARIF 2.1, and what 2.0 has in common with it. The source of a finding is the tool that the
 * run names. Results that are suppressed, are no failures or are absent from the baseline have the
 * severity `info`. Findings count lines and columns from 0.
 *
 * Source: Static Analysis Results Interchange Format 2.1.0, OASIS, section 3.27.
 */
export function readSarif(output: string): VerifierReading {
  const reading = new Reading();
  const json = tryJsonInOutput(output, isSarif);
  if (json === undefined) {
    for (const line of outputLines(output)) reading.leave(line);
    return reading.end();
  }
  reading.isCut = json.isCut;
  for (const line of outputLines(`${json.before}\n${json.after}`)) reading.leave(line);
  for (const run of recordsOf(isRecord(json.value) ? json.value["runs"] : undefined)) {
    for (const result of recordsOf(run["results"])) reading.add(toFinding(result, run));
    for (const invocation of recordsOf(run["invocations"])) {
      const notices = [
        ...recordsOf(invocation["toolExecutionNotifications"]),
        ...recordsOf(invocation["toolConfigurationNotifications"]),
      ];
      for (const notice of notices) if (notice["level"] === "error") reading.add(toFinding(notice, run));
    }
  }
  return reading.end();
}

/** Whether a value is a SARIF log: it has `runs`, and names the schema or a version 2 of SARIF. */
export function isSarif(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value["runs"])) return false;
  return /sarif/i.test(textOf(value["$schema"]) ?? "") || /^2\./.test(textOf(value["version"]) ?? "");
}

function toFinding(result: Json, run: Json): Finding {
  const driver = recordAt(recordAt(run, "tool"), "driver");
  const ruleId = textOf(result["ruleId"]) ?? textOf(recordAt(result, "rule")["id"]);
  const rules = recordsOf(driver["rules"]);
  const rule = rules[numberOf(result["ruleIndex"]) ?? -1] ?? rules.find((one) => one["id"] === ruleId) ?? {};
  const [place, ...others] = recordsOf(result["locations"]).map((location) => placeOf(location, run));
  const region = recordAt(recordAt(recordsOf(result["locations"])[0] ?? {}, "physicalLocation"), "region");
  const related = recordsOf(result["relatedLocations"]).map((location) => placeOf(location, run));
  return finding({
    ...place,
    // A region without a last line ends on its first line; the end is exclusive.
    endLine: fromOne(region["endLine"]) ?? (region["endColumn"] === undefined ? undefined : place?.line),
    endColumn: fromOne(region["endColumn"]),
    code: ruleId ?? textOf(rule["id"]),
    severity: severityOfResult(result, rule),
    message: messageOf(recordAt(result, "message"), rule),
    source: textOf(driver["name"]) ?? "sarif",
    related: [...others, ...related].filter((other): other is FindingPlace => other.path !== undefined),
  });
}

function severityOfResult(result: Json, rule: Json): Finding["severity"] {
  const isHidden = recordsOf(result["suppressions"]).some(
    ({ status }) => status === undefined || status === "accepted",
  );
  const kind = textOf(result["kind"]) ?? "fail";
  if (isHidden || kind !== "fail" || result["baselineState"] === "absent") return "info";
  const level = textOf(result["level"]) ?? textOf(recordAt(rule, "defaultConfiguration")["level"]) ?? "warning";
  return level === "error" || level === "warning" ? level : "info";
}

function messageOf(message: Json, rule: Json): string {
  const template =
    textOf(message["text"]) ??
    textOf(message["markdown"]) ??
    textOf(recordAt(recordAt(rule, "messageStrings"), textOf(message["id"]) ?? "default")["text"]) ??
    textOf(recordAt(rule, "shortDescription")["text"]) ??
    "";
  const values = Array.isArray(message["arguments"]) ? message["arguments"] : [];
  return template.replace(/\{(\d+)\}/g, (whole, index) => textOf(values[Number(index)]) ?? whole);
}

function placeOf(location: Json, run: Json): Partial<FindingPlace> {
  const physical = recordAt(location, "physicalLocation");
  const artifact = recordAt(physical, "artifactLocation");
  const index = numberOf(artifact["index"]);
  const named = index === undefined ? {} : recordAt(recordsOf(run["artifacts"])[index] ?? {}, "location");
  const uri = textOf(artifact["uri"]) ?? textOf(named["uri"]);
  if (uri === undefined) return {};
  const baseId = textOf(artifact["uriBaseId"]) ?? textOf(named["uriBaseId"]);
  const base = baseId === undefined ? {} : recordAt(recordAt(run, "originalUriBaseIds"), baseId);
  const region = recordAt(physical, "region");
  const line = fromOne(region["startLine"]);
  const column = fromOne(region["startColumn"]);
  return {
    path: pathOfUri(`${/^\w+:/.test(uri) ? "" : (textOf(base["uri"]) ?? "")}${uri}`),
    ...(line !== undefined && { line }),
    ...(line !== undefined && column !== undefined && { column }),
  };
}

/** The decoded path of a `file:` URL or of a relative one. */
function pathOfUri(uri: string): string {
  const path = uri.replace(/^file:\/\/(?:localhost)?(?=\/)/, "").replace(/^file:(?=\/)/, "");
  const bare = /^\/[A-Za-z]:\//.test(path) ? path.slice(1) : path;
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

function recordAt(value: Json, name: string): Json {
  const inner = value[name];
  return isRecord(inner) ? inner : {};
}
