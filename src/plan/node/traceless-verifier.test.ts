import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Edit, workspaceEdit } from "../../text/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { commandVerifier } from "./command-verifier.ts";
import { openScratchCopy } from "./scratch-copy.ts";
import { ScratchPlanWorkspace } from "./scratch-plan-workspace.ts";
import { tracelessVerifier } from "./traceless-verifier.ts";

test.skipIf(process.platform === "win32").each(["", "packages/one"])(
  "tracelessVerifier reverts what a command writes and keeps what the plan wrote; below %j",
  async (folder) => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-traceless-")));
    onTestFinished(() => removeFolder(top));
    const root = join(top, "work", folder);
    mkdirSync(root, { recursive: true });
    const put = (path: string, content: string | Uint8Array) => writeFileSync(join(root, path), content);
    put("plan.ts", "let plan = 1;\n");
    put("other.ts", "let other = 1;\n");
    put("gone.ts", "let gone = 1;\n");
    put("tool.sh", "#!/bin/sh\n");
    chmodSync(join(root, "tool.sh"), 0o755);
    put("picture.png", new Uint8Array([137, 0, 1]));
    put(".gitignore", "cache\n");
    symlinkSync("other.ts", join(root, "link.ts"));
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    for (const line of ["init --quiet", "add .", "commit --quiet --message=all"])
      execFileSync("git", [...identity, ...line.split(" ")], { cwd: join(top, "work") });
    const opened = await openScratchCopy(root, { folder: join(top, "scratch") });
    if (opened.kind !== "open") throw new Error(opened.message);
    const { copy } = opened;
    onTestFinished(() => copy[Symbol.asyncDispose]());
    const edit = workspaceEdit([{ kind: "edit", uri: "plan.ts", edit: Edit.insert(0, "// by the plan\n") }]);
    await new ScratchPlanWorkspace(copy).write(edit, { instruction: "" });
    const lines = [
      "for one in plan.ts other.ts tool.sh made.ts cache; do echo '// by the tool' >> $one; done",
      "rm gone.ts link.ts; ln -s plan.ts link.ts; printf '\\0\\1' > picture.png; printf '\\0\\2' > made.png",
    ];
    const reported: (readonly string[])[] = [];
    const command = commandVerifier({ command: lines.join("; ") }, { root: copy.root });
    const verifier = tracelessVerifier(command, copy, (paths) => reported.push(paths));
    expect((await verifier.run()).kind).toBe("no-findings");
    expect(reported).toEqual([
      ["gone.ts", "link.ts", "made.png", "made.ts", "other.ts", "picture.png", "plan.ts", "tool.sh"],
    ]);
    const changes = await copy.changes();
    expect([changes.edit.changes.map(({ uri }) => uri), changes.others]).toEqual([["plan.ts"], []]);
    expect(readFileSync(join(copy.root, "plan.ts"), "utf8")).toBe("// by the plan\nlet plan = 1;\n");
    expect(readFileSync(join(copy.root, "link.ts"), "utf8")).toBe("let other = 1;\n");
    execFileSync(join(copy.root, "tool.sh"));
    expect(readdirSync(copy.root)).toEqual(expect.arrayContaining(["cache", "gone.ts"]));
    await tracelessVerifier(commandVerifier({ command: "true" }, { root: copy.root }), copy, (paths) =>
      reported.push(paths),
    ).run();
    expect(reported.length).toBe(1);
  },
);
