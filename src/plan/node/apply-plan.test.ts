import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { undoEdits } from "../../edit/node/index.ts";
import { minimalEdit, workspaceEdit } from "../../text/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { MemoryPlanJournal } from "../fixtures/memory-parts.ts";
import { NameImpact } from "../fixtures/name-impact.ts";
import { dependsOnChange } from "../fixtures/play-plan.ts";
import { ScriptedStep } from "../fixtures/scripted-step.ts";
import { runPlan } from "../plan-engine.ts";
import type { PlanSeed } from "../plan-event.ts";
import { foldPlan } from "../plan-state.ts";
import { applyPlan, pathsOfSeeds, takeSeedsBack } from "./apply-plan.ts";
import { commandVerifier } from "./command-verifier.ts";
import { openScratchCopy } from "./scratch-copy.ts";
import { ScratchPlanWorkspace } from "./scratch-plan-workspace.ts";

const compiler = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));

const before = {
  "sums.ts": "export function add(a: number, b: number): number {\n  return a + b;\n}\n",
  // Line endings and an old mistake belong to the user's files and stay.
  "use.ts":
    'import { add } from "./sums.ts";\r\n\r\nexport const old: string = 1;\r\n\r\nexport function three(): number {\r\n  return add(1, 2);\r\n}\r\n',
};
const changed = before["sums.ts"].replace("b: number)", "b: number, c: number)");
const compilerOptions = { strict: true, noEmit: true, module: "nodenext", allowImportingTsExtensions: true, types: [] };

test.skipIf(process.platform === "win32")(
  "applyPlan writes a change that a plan followed in a copy with the compiler, and undo restores every byte",
  async () => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-apply-")));
    onTestFinished(() => removeFolder(top));
    const root = join(top, "work");
    mkdirSync(root);
    const put = (path: string, text: string) => writeFileSync(join(root, path), text);
    const texts = () =>
      Object.fromEntries(Object.keys(before).map((path) => [path, readFileSync(join(root, path), "utf8")]));
    put("tsconfig.json", JSON.stringify({ compilerOptions }));
    for (const [path, text] of Object.entries(before)) put(path, text);
    execFileSync("git", ["init", "--quiet"], { cwd: root });
    // The seed is in the user's files already.
    put("sums.ts", changed);
    const person = texts();
    const edit = workspaceEdit([{ kind: "edit", uri: "sums.ts", edit: minimalEdit(before["sums.ts"], changed) }]);
    const seeds: PlanSeed[] = [{ kind: "edits", edit }];
    expect(pathsOfSeeds(seeds)).toEqual(["sums.ts"]);

    const opened = await openScratchCopy(root, { folder: join(top, "scratch") });
    if (opened.kind !== "open") throw new Error(opened.message);
    const { copy } = opened;
    onTestFinished(() => copy[Symbol.asyncDispose]());
    await takeSeedsBack(copy, seeds, new Map(Object.entries(before)));
    const journal = new MemoryPlanJournal();
    const model = new ScriptedStep({ three: (text) => text.replace("add(1, 2)", "add(1, 2, 0)") });
    const verifiers = [commandVerifier({ command: `"${compiler}" --pretty false` }, { root: copy.root })];
    const workspace = new ScratchPlanWorkspace(copy);
    const parts = { workspace, impact: new NameImpact(before), journal, model, verifiers, now: () => 0 };
    const start = { plan: "p", base: "none", seeds };
    for await (const _ of runPlan(start, parts, { limits: { isStep: dependsOnChange } }));
    const { ended, verifiersBefore } = foldPlan(journal.events);
    expect(ended).toEqual({ why: "done" });
    expect([...verifiersBefore.values()].map(({ summary: given }) => given)).toEqual(["1 error"]);
    expect(texts()).toEqual(person);

    const options = { journal: { folder: join(top, "state") }, waitMs: 1_000 };
    const applied = await applyPlan(copy, root, { ...options, instruction: "a third number" });
    expect(applied).toMatchObject({ kind: "written", paths: ["use.ts"] });
    expect(texts()).toEqual({ "sums.ts": changed, "use.ts": before["use.ts"].replace("add(1, 2)", "add(1, 2, 0)") });
    const undone = await undoEdits(root, { steps: 1 }, options);
    expect(undone.undone).toMatchObject([{ instruction: "a third number", paths: ["use.ts"] }]);
    expect(texts()).toEqual(person);
  },
);
