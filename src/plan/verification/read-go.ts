import { type Finding, type FindingPlace, finding, fromOne } from "./finding.ts";
import { jsonLines, textOf } from "./json-in-output.ts";
import { outputLines, Reading, type VerifierReading, withLine } from "./verifier-reading.ts";

/**
 * Reads the output of `go build`, `go vet` and `go test`, also of `go test -json`. Findings count
 * lines and columns from 0.
 *
 * The compiler prints paths relative to its working folder. A test prints its file without a
 * folder; its path becomes the import path of the package with the file's name, for
 * `locateFindings` to resolve. The code of a failed test is its name.
 */
export function readGo(output: string): VerifierReading {
  const reading = new Reading();
  const text = new GoText(reading);
  /** The output of each test, by package and name. */
  const logged = new Map<string, string[]>();
  const failed = new Set<string>();
  for (const { value, line, isLast } of jsonLines(output)) {
    const action = textOf(value?.["Action"]);
    if (action === undefined) {
      if (line.startsWith("{") && isLast) reading.isCut = true;
      text.read(line);
      continue;
    }
    const packageName = textOf(value?.["Package"]) ?? textOf(value?.["ImportPath"]) ?? "";
    const test = textOf(value?.["Test"]);
    const key = JSON.stringify([packageName, test]);
    const lines = logged.get(key) ?? [];
    logged.set(key, lines);
    if (action === "output") lines.push(textOf(value?.["Output"]) ?? "");
    else if (action === "build-output") text.read((textOf(value?.["Output"]) ?? "").replace(/\n$/, ""));
    else if (action === "fail" && test === undefined && packageName !== "") {
      const hasReason =
        failed.has(packageName) || "FailedBuild" in value! || /\[(build|setup) failed\]/.test(lines.join(""));
      if (!hasReason) reading.add(packageFinding(packageName));
    } else if (action === "fail" && test !== undefined) {
      failed.add(packageName);
      // A test fails when one of its subtests does; the subtest has the reason.
      const hasFailedInside = [...logged].some(
        ([other, their]) =>
          other.startsWith(JSON.stringify([packageName, `${test}/`]).slice(0, -2)) && their.some(isFailLine),
      );
      if (!hasFailedInside) reading.add(testFinding(packageName, test, lines.join("").split("\n")));
    }
  }
  text.end();
  return reading.end();
}

const isFailLine = (line: string): boolean => /^\s*--- FAIL: /.test(line);

interface GoTest {
  readonly name: string;
  readonly lines: string[];
  /** The output of the test while it ran. */
  readonly earlier: readonly string[];
}

/** Reads lines of text output, in which tests precede their package. */
class GoText {
  readonly #reading: Reading;
  #isOpen = false;
  /** Whether the test has panicked: its stack, which is not indented, ends with the package. */
  #isPanicking = false;
  #tests: GoTest[] = [];
  /** The test that the following lines belong to: a failed one, or a running one (`-v`). */
  #test: GoTest | undefined;
  readonly #running = new Map<string, GoTest>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  read(raw: string): void {
    for (const line of outputLines(raw)) this.#line(line);
  }

  end(): void {
    this.#closePackage("");
  }

  #line(line: string): void {
    const failed = /^\s*--- FAIL: (\S+) \(/.exec(line);
    const outcome = /^(FAIL|ok|---|\?)\s+(\S+)(?:\s+(?!\s)(.*))?$/.exec(line);
    if (this.#test !== undefined && /^panic: /.test(line)) this.#isPanicking = true;
    const running = /^\s*=== (?:RUN|CONT|NAME|PAUSE)\s+(\S+)$/.exec(line);
    if (failed !== null) {
      const name = failed[1]!;
      this.#test = { name, lines: [], earlier: this.#running.get(name)?.lines ?? [] };
      this.#tests.push(this.#test);
    } else if (running !== null) {
      const name = running[1]!;
      this.#test = this.#running.get(name) ?? { name, lines: [], earlier: [] };
      this.#running.set(name, this.#test);
    } else if (/^\s*(--- (PASS|SKIP): |PASS$|FAIL$|exit status \d+$|coverage: )/.test(line)) {
      this.#test = undefined;
    } else if (outcome !== null && (outcome[1] !== "FAIL" || /\[|\d/.test(outcome[3] ?? ""))) {
      const hasReason = this.#tests.length > 0 || /\[(build|setup) failed\]/.test(outcome[3] ?? "");
      if (outcome[1] === "FAIL" && !hasReason) {
        this.#reading.add(packageFinding(outcome[2]!));
      }
      this.#closePackage(outcome[2]!);
    } else if (this.#test !== undefined && (this.#isPanicking || /^\s/.test(line))) {
      this.#test.lines.push(line);
    } else this.#compilerLine(line);
  }

  #compilerLine(line: string): void {
    const place = /^(?:vet: )?((?:[A-Za-z]:)?[^\s:][^:]*\.(?:go|s|mod|work)):(\d+)(?::(\d+))?: (.*)$/.exec(line);
    const general = /^go: (.*)$/.exec(line);
    if (place !== null) {
      const [, path = "", row, column, message] = place;
      const at = { path: path.replace(/^\.[\\/]/, ""), line: fromOne(row), column: fromOne(column) };
      this.#reading.add(finding({ ...at, severity: "error", message: message!, source: "go" }));
      this.#isOpen = true;
    } else if (general !== null && !/^go: (downloading|finding|extracting|added|upgraded|found) /.test(line)) {
      this.#reading.add(finding({ severity: "error", message: general[1]!, source: "go" }));
      this.#isOpen = true;
    } else if (this.#isOpen && /^\t/.test(line)) {
      this.#reading.extendLast((last) => withLine(last, line.trim()));
    } else if (/^# |^go: /.test(line)) {
      this.#isOpen = false;
    } else {
      this.#isOpen = false;
      this.#reading.leave(line);
    }
  }

  #closePackage(packageName: string): void {
    const names = this.#tests.map(({ name }) => name);
    for (const { name, lines, earlier } of this.#tests) {
      if (names.some((other) => other.startsWith(`${name}/`))) continue;
      this.#reading.add(testFinding(packageName, name, lines.length > 0 ? lines : earlier));
    }
    this.#tests = [];
    this.#running.clear();
    this.#test = undefined;
  }
}

/**
 * The finding for a package that failed without a failed test: its setup failed or its program
 * ended.
 */
function packageFinding(packageName: string): Finding {
  return finding({ code: packageName, severity: "error", message: "The package's tests failed.", source: "go" });
}

function testFinding(packageName: string, test: string, lines: readonly string[]): Finding {
  const messages: string[] = [];
  const frames: FindingPlace[] = [];
  let place: FindingPlace | undefined;
  let isStack = false;
  const folder = packageName.split(" [", 1)[0]!;
  for (const line of outputLines(lines.join("\n"))) {
    if (/^\s*(=== |--- )/.test(line) || line.trim() === "") continue;
    isStack ||= /^goroutine \d+ \[/.test(line);
    const frame = /^\t(\S.*\.go):(\d+)(?: \+0x[0-9a-f]+)?$/.exec(line);
    const logged = /^\s*([\w.-]+\.go):(\d+): (.*)$/.exec(line);
    if (isStack) {
      if (frame !== null) frames.push({ path: frame[1]!.replaceAll("\\", "/"), line: Number(frame[2]) - 1 });
      continue;
    }
    if (logged !== null) {
      const path = folder === "" ? logged[1]! : `${folder}/${logged[1]}`;
      place ??= { path, line: Number(logged[2]) - 1 };
    }
    messages.push((logged?.[3] ?? line).trim());
  }
  // Frames of Go itself and of other modules are left out.
  const own = frames.filter(({ path }) => !/\/src\/(runtime|testing|reflect|internal)\/|\/pkg\/mod\//.test(path));
  const at = place ?? own.find(({ path }) => path.endsWith("_test.go")) ?? own[0];
  return finding({
    ...at,
    code: test,
    severity: "error",
    // A panic is printed again by the code that recovers from it.
    message: [...new Set(messages.map(withoutRecovery))].join("\n") || "It failed.",
    source: "go",
    related: own.filter((frame) => frame !== at),
  });
}

function withoutRecovery(line: string): string {
  const recovery = line.endsWith("]") ? line.indexOf(" [recovered") : -1;
  return recovery < 0 ? line : line.slice(0, recovery);
}
