import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { findPyright, type PyrightProgram } from "./pyright-program.ts";
import { PyrightService } from "./pyright-service.ts";

function folderOf(files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-pyright-")));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

describe("PyrightService", () => {
  const shape = "def area(side: int) -> int:\n    return side * side\n";
  const use = "from shape import area\n\nprint(area(2))\n";
  let root: string;
  let service: PyrightService;

  beforeAll(async () => {
    const config = '{ "reportOptionalMemberAccess": "none", "extraPaths": ["vendor"] }\n';
    const vendor = "def fold(sheet: str) -> str: ...\n";
    root = folderOf({ "shape.py": shape, "use.py": use, "pyrightconfig.json": config, "vendor/paper.py": vendor });
    service = await PyrightService.open({ root, program: findPyright({ root, searchPath: "" })! });
  });
  afterAll(async () => {
    await service.close();
    removeFolder(root);
  });

  test("definitions finds declarations, also in a library", async () => {
    const path = join(root, "use.py");
    await service.setTexts(new Map([[path, use]]));
    const [area, print] = await service.definitions(path, [use.indexOf("area(2"), use.indexOf("print")]);
    expect(area).toEqual([{ path: join(root, "shape.py"), position: { line: 0, column: 4 } }]);
    expect(print?.every((place) => place.path.endsWith("builtins.pyi"))).toBe(true);
  });

  test("errors reports diagnostics of texts that are not on the disk, and none once they are restored", async () => {
    const [own, other] = [join(root, "use.py"), join(root, "shape.py")];
    await service.setTexts(new Map([[own, use]]));
    expect(await service.errors([own])).toEqual([]);
    await service.setTexts(new Map([[other, shape.replace("int)", "int, height: int)")]]));
    const [start, end] = [use.indexOf("area(2"), use.indexOf("area(2") + "area(2)".length];
    expect(await service.errors([own])).toMatchObject([{ path: own, start, end, code: "reportCallIssue" }]);
    await service.setTexts(new Map([[other, shape]]));
    expect(await service.errors([own])).toEqual([]);
  });

  test("reads the configuration of the workspace", async () => {
    const path = join(root, "other.py");
    const text = 'import re\nfrom paper import fold\n\nre.match("a", fold("b")).group()\nfold(1)\n';
    await service.setTexts(new Map([[path, text]]));
    expect((await service.errors([path])).map(({ code }) => code)).toEqual(["reportArgumentType"]);
  });

  test("rejects a request about a file whose text was not set", async () => {
    await expect(service.errors([join(root, "untold.py")])).rejects.toMatchObject({ code: "file-missing" });
  });

  test("rejects with the signal's reason", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    stop.abort(reason);
    const pending = service.errors([join(root, "use.py")], { signal: stop.signal });
    await expect(pending).rejects.toBe(reason);
  });
});

describe("PyrightService rejects with a reason when", () => {
  const root = folderOf({});
  afterAll(() => removeFolder(root));

  /** A program that runs these lines instead of pyright. */
  function program(script: string): PyrightProgram {
    const path = join(root, "server.mjs");
    writeFileSync(path, script);
    return { command: process.execPath, args: [path], from: "path" };
  }

  const cases: readonly (readonly [what: string, program: PyrightProgram, code: string, message: string])[] = [
    [
      "there is none",
      { command: join(root, "nothing"), args: [], from: "path" },
      "pyright-missing",
      "Pyright cannot be started",
    ],
    ["it ends at once", program("process.exit(3)"), "pyright-failed", "Pyright ended by itself (3)."],
  ];
  for (const [what, one, code, message] of cases) {
    test(what, async () => {
      const error = await PyrightService.open({ root, program: one }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code });
      expect((error as Error).message).toContain(message);
    });
  }

  test("it does not answer in time", async () => {
    const opening = PyrightService.open({ root, program: program("setInterval(() => {}, 1000)"), timeoutMs: 200 });
    await expect(opening).rejects.toMatchObject({ code: "pyright-slow" });
  });

  test("it was closed", async () => {
    const service = await PyrightService.open({ root, program: findPyright({ root, searchPath: "" })! });
    await service.close();
    await expect(service.setTexts(new Map([[join(root, "a.py"), ""]]))).rejects.toMatchObject({
      code: "pyright-closed",
    });
  });
});

describe("findPyright chooses, of several, the one", () => {
  function makeProgram(folder: string): string {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, "pyright-langserver");
    writeFileSync(path, "#!/bin/sh\n");
    chmodSync(path, 0o755);
    return path;
  }
  const setUp = () => {
    const root = folderOf({});
    onTestFinished(() => removeFolder(root));
    return root;
  };

  test("on the search path", () => {
    const root = setUp();
    const [own, shared] = [makeProgram(join(root, ".venv/bin")), makeProgram(join(root, "shared"))];
    const searchPath = [join(root, "empty"), join(root, "shared")].join(delimiter);
    expect(findPyright({ root, searchPath, isTrusted: true })).toEqual({
      command: shared,
      args: ["--stdio"],
      from: "path",
    });
    expect(findPyright({ root, searchPath: "", isTrusted: true })?.command).toBe(own);
  });

  test("beside Emend, and not in a workspace that is not trusted", () => {
    const root = setUp();
    makeProgram(join(root, "node_modules/.bin"));
    expect(findPyright({ root, searchPath: "" })).toMatchObject({ command: process.execPath, from: "package" });
  });
});
