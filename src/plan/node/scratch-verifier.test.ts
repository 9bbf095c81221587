import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { newDiagnostics } from "../../analysis/index.ts";
import { minimalEdit, workspaceEdit } from "../../text/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { type Finding, findingKey, printFinding } from "../verification/finding.ts";
import { errorsOf, printVerifierResult } from "../verifier.ts";
import { commandVerifier } from "./command-verifier.ts";
import { openScratchCopy } from "./scratch-copy.ts";

const compiler = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));

const sums = "export function add(a: number, b: number): number {\n  return a + b;\n}\n";
const use = 'import { add } from "./sums.ts";\n\nexport const old: string = 1;\n\nexport const three = add(1, 2);\n';

test.skipIf(process.platform === "win32")(
  "a verification command in a scratch copy reports what an edit breaks and nothing else",
  async () => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-try-")));
    onTestFinished(() => removeFolder(top));
    const root = join(top, "work");
    const options = { strict: true, noEmit: true, module: "nodenext", allowImportingTsExtensions: true, types: [] };
    mkdirSync(root);
    writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
    writeFileSync(join(root, "sums.ts"), sums);
    writeFileSync(join(root, "use.ts"), use);
    execFileSync("git", ["init", "--quiet"], { cwd: root });

    const answer = await openScratchCopy(root, { folder: join(top, "scratch") });
    if (answer.kind !== "open") throw new Error(answer.message);
    const { copy } = answer;
    onTestFinished(() => copy[Symbol.asyncDispose]());
    const verifier = commandVerifier({ command: `"${compiler}" --pretty false` }, { root: copy.root });
    const before = await verifier.run();
    expect(errorsOf(before).map(printFinding)).toEqual([
      "use.ts:3:14 error TS2322 (tsc) Type 'number' is not assignable to type 'string'.",
    ]);

    const after = sums.replace("b: number)", "b: number, c: number)");
    const edit = workspaceEdit([{ kind: "edit", uri: "sums.ts", edit: minimalEdit(sums, after) }]);
    await copy.write({ edit, files: new Map([["sums.ts", sums]]), instruction: "a third number" });
    const verdict = await verifier.run();
    expect(printVerifierResult(verdict)).toBe("2 errors");

    // The nearest variable that begins above.
    const keyOf = (finding: Finding) =>
      findingKey(finding, `${finding.path}|${(finding.line ?? 0) < 4 ? "old" : "three"}`);
    const [earlier, later] = [errorsOf(before), errorsOf(verdict)];
    expect(newDiagnostics(earlier, later, keyOf).map(printFinding)).toEqual([
      "use.ts:5:22 error TS2554 (tsc) Expected 3 arguments, but got 2.",
    ]);
    expect(newDiagnostics(later, earlier, keyOf)).toEqual([]);
    expect(readFileSync(join(root, "sums.ts"), "utf8")).toBe(sums);
  },
);
