import { mkdtempSync, realpathSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { toPortablePath } from "../../workspace/node/disk.ts";
import { filesOfTree } from "./typescript-files.ts";
import { TypeScriptService } from "./typescript-service.ts";

const config = JSON.stringify({
  compilerOptions: { strict: true, target: "es2022", module: "nodenext", types: [], lib: ["es2022"] },
});

const project = "/tree/tsconfig.json";

const left: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const leave of left.splice(0).reverse()) await leave();
});

/** A service for a tree of files in memory; each `¦` in them marks a place and is removed. */
function virtual(files: Readonly<Record<string, string>>) {
  const places: { readonly path: string; readonly offset: number }[] = [];
  const texts = new Map(
    Object.entries({ "tsconfig.json": config, ...files }).map(([path, marked]) => {
      let text = "";
      for (const [index, piece] of marked.split("¦").entries()) {
        if (index > 0) places.push({ path: `/tree/${path}`, offset: text.length });
        text += piece;
      }
      return [path, text];
    }),
  );
  const service = new TypeScriptService({ root: "/tree", files: filesOfTree("/tree", texts) });
  left.push(() => service.close());
  return { service, places, texts };
}

/** A folder on the disk that is removed after the test. */
async function onDisk(files: Readonly<Record<string, string>>): Promise<string> {
  const root = toPortablePath(realpathSync(mkdtempSync(join(tmpdir(), "emend-typescript-"))));
  left.push(() => removeFolder(root));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

const shapes = `export interface Shape { area(): number; name?: string }
export class Base { protected hidden = 1; #own = 2; static make() { return new Base() } move(by: number) { return this.#own + by } }
export class Circle extends Base implements Shape { constructor(readonly radius: number) { super() } area() { return this.radius } }
`;

describe("TypeScriptService.memberNames returns the members", () => {
  const cases: readonly (readonly [what: string, code: string, names: string | "any"])[] = [
    ["of a class, without what is protected or private", "new Circle(1).¦x", "area move radius"],
    ["of this, with what is", "class Mine extends Base { go() { this.¦x } }", "go hidden move"],
    [
      "of the class itself with private ones",
      "class Own { #secret = 1; open = 2; go() { this.¦x } }",
      "#secret go open",
    ],
    ["that are optional", "declare const s: Shape; s.¦x", "area name"],
    ["of what may be undefined", "declare const s: Shape | undefined; s?.¦x", "area name"],
    ["of what may be undefined, behind a plain dot", "declare const s: Shape | undefined; s.¦x", "area name"],
    ["that all of a union have", "declare const u: Circle | { area: 1; other: 2 }; u.¦x", "area"],
    ["of a bound type", "function f<T extends Shape>(t: T) { t.¦x }", "area name"],
    ["of a narrowed type", "function f(u: Shape | string) { if (typeof u !== 'string') u.¦x }", "area name"],
    ["of a namespace, and not its types", "namespace N { export const v = 1; export type T = 1 } N.¦x", "v"],
    ["of a namespace in a type", "namespace N { export const v = 1; export type T = 1 } let t: N.¦x", "T"],
    ["that are no names are left out", "const o = { 'a-b': 1, 3: 3, c: 2 }; o.¦x", "c"],
    [
      "of an enum, with those of other cases",
      "enum E { A, B } declare const e: E; switch (e) { case E.A: case E.¦x: }",
      "A B",
    ],
    ["where the file is broken behind it", "const c = new Circle(1); c.¦x; function (", "area move radius"],
    ["on the next line", "new Circle(1)\n  // more\n  .¦x", "area move radius"],
    ["of what is any", "declare const a: any; a.¦x", "any"],
    ["of what is not known", "nothing.¦x", "any"],
    ["of what is imported from nowhere", "import * as far from 'far'; far.¦x", "any"],
    ["of what has an index", "declare const r: Record<string, 1>; r.¦x", "any"],
    ["of what has an index by a pattern", "declare const r: { [k: Uppercase<string>]: 1; z: 2 }; r.¦x", "any"],
    ["of a function of this file, which may be given some", "function f() {} f.¦x", "any"],
    ["in a string", "const s = 'new Circle(1).¦x'", "any"],
    ["in a comment", "// new Circle(1).¦x", "any"],
    ["in a number", "const n = 1.¦5", "any"],
  ];
  it.each(cases)("%s", async (_, code, expected) => {
    const head = "import { Base, Circle, type Shape } from './shapes.js';\n";
    const { service, places } = virtual({ "src/shapes.ts": shapes, "src/use.ts": `${head}${code}` });
    await service.openProjects([project]);
    const answer = await service.memberNames(project, places[0]!.path, places[0]!.offset);
    expect(answer.kind === "any" ? "any" : [...answer.names].sort().join(" ")).toBe(expected);
  });

  it("memberNames returns any for an object in JavaScript, because an assignment adds a member", async () => {
    const compilerOptions = { allowJs: true, types: [], lib: ["es2022"] };
    const { service, places } = virtual({
      "tsconfig.json": JSON.stringify({ compilerOptions }),
      "free.js": "const o = { a: 1 }; o.¦b = 2; [1].¦map",
    });
    await service.openProjects([project]);
    const [own, array] = await Promise.all(
      places.map(({ path, offset }) => service.memberNames(project, path, offset)),
    );
    expect(own).toEqual({ kind: "any" });
    expect(array?.kind === "names" && array.names).toContain("map");
  });

  it("memberNames returns any for a file that the project does not contain", async () => {
    const { service } = virtual({ "a.ts": "1" });
    await service.openProjects([project]);
    expect(await service.memberNames(project, "/tree/none.ts", 0)).toEqual({ kind: "any" });
  });
});

describe("TypeScriptService.update", () => {
  it("sets unsaved texts until they are given back", async () => {
    const root = await onDisk({
      "tsconfig.json": config,
      "src/a.ts": "export const a = 1;",
      "src/b.ts": "import './a.js'",
    });
    const service = new TypeScriptService({ root });
    left.push(() => service.close());
    const [a, b, c] = ["a", "b", "c"].map((name) => `${root}/src/${name}.ts`) as [string, string, string];
    await service.openProjects([`${root}/tsconfig.json`]);
    const codes = async () => (await service.typeErrors(`${root}/tsconfig.json`, [b])).map(({ code }) => code);
    expect(await codes()).toEqual([]);
    await service.update(new Map([[b, "import { a } from './a.js'; a.b; import { c } from './c.js'; c; ("]]));
    expect(await codes()).toEqual(["2339", "2307"]);
    await service.update(new Map([[c, "export const c = 1;"]]));
    expect(await codes()).toEqual(["2339"]);
    await service.update(new Map([[a, null]]));
    expect(await codes()).toEqual(["2307"]);
    await service.update(new Map([a, b, c].map((path) => [path, undefined])));
    expect(await codes()).toEqual([]);
    await writeFile(b, "let broken: string = 1;");
    await service.update(new Map([[b, undefined]]));
    expect(await codes()).toEqual(["2322"]);
  });
});

describe("TypeScriptService", () => {
  describe("references after updates are those that a new process finds", () => {
    const library =
      "export interface Box { first: number; second: number }\nexport const box: Box = { first: 1, second: 2 };\n";
    const user = `import { box } from "./library.js";
export interface Known { known: number }
var twice = 1;
var twice = 2;
export const outer = box.second + twice;
export function use<T extends Known>(value: T, own = outer): T {
  const inner = box;
  const { second, first: renamed } = inner;
  const more = (value: number) => value + inner.first + second + renamed + own;
  return more(inner.second + value.known) > 0 ? value : use(value);
}
`;
    const cases: readonly (readonly [what: string, texts: Readonly<Record<string, string | null>>])[] = [
      [
        "a member is inserted above another",
        { "library.ts": library.replace("first: number", "zero?: 0; first: number") },
      ],
      ["a member is renamed", { "library.ts": library.replaceAll("second", "third") }],
      ["lines are inserted above", { "user.ts": `const added = 1;\nexport { added };\n${user}` }],
      [
        "a variable shadows another",
        { "user.ts": user.replace("const inner = box;", "const inner = box, outer = inner;") },
      ],
      [
        "an interface is augmented",
        { "more.ts": 'import "./user.js";\ndeclare module "./user.js" { interface Known { more: 1 } }\n' },
      ],
      ["a file is hidden, and is there again", { "library.ts": null, "more.ts": null }],
      ["all texts are as before", { "library.ts": library, "user.ts": user }],
    ];
    const initial = { "library.ts": library, "user.ts": user };
    const paths = ["/tree/library.ts", "/tree/user.ts"];
    const pathOf = (path: string) => (path.startsWith("/tree/") ? path.slice("/tree/".length) : undefined);
    const read = async (service: TypeScriptService, onlyNames?: ReadonlySet<string>) =>
      service.references(project, paths, pathOf, onlyNames && { onlyNames });

    it("one after the other", async () => {
      const { service } = virtual(initial);
      await service.openProjects([project]);
      const all = new Map<string, string | null>(Object.entries(initial));
      expect((await read(service))[1]!.references.length).toBe(30);
      for (const [what, texts] of cases) {
        for (const [path, text] of Object.entries(texts)) all.set(path, text);
        await service.update(new Map(Object.entries(texts).map(([path, text]) => [`/tree/${path}`, text])));
        const there = Object.fromEntries([...all].filter((entry): entry is [string, string] => entry[1] !== null));
        const { service: fresh } = virtual(there);
        await fresh.openProjects([project]);
        const names = new Set(["first", "inner"]);
        expect([await read(service), await read(service, names)], what).toEqual([
          await read(fresh),
          await read(fresh, names),
        ]);
      }
    });
  });

  it("sees all texts of an update together and never one of them alone", async () => {
    const { service } = virtual({
      "a.ts": "export const a: number = 1;",
      "b.ts": "import { a } from './a.js'; export const b: number = a;",
      "c.ts": "import { b } from './b.js'; export const c: number = b;",
    });
    await service.openProjects(["/tree/tsconfig.json"]);
    const paths = ["/tree/a.ts", "/tree/b.ts", "/tree/c.ts"];
    const before = service.typeErrors("/tree/tsconfig.json", paths);
    const updating = service.update(
      new Map([
        ["/tree/a.ts", "export const a: string = '';"],
        ["/tree/b.ts", "import { a } from './a.js'; export const b: string = a;"],
        ["/tree/c.ts", "import { a } from './a.js'; export const c: number = a;"],
      ]),
    );
    const after = service.typeErrors("/tree/tsconfig.json", paths);
    expect(await before).toEqual([]);
    await updating;
    expect((await after).map(({ path, code }) => `${path} ${code}`)).toEqual(["/tree/c.ts 2322"]);
  });

  it("rejects with typescript-missing when the program cannot be started", async () => {
    const service = new TypeScriptService({ root: "/tree", program: "/no/such/program" });
    await expect(service.typeErrors(project, [])).rejects.toMatchObject({ code: "typescript-missing" });
  });

  it("rejects all requests with typescript-failed after its process has exited", async () => {
    // Node does not know the options of the service, and exits.
    const service = new TypeScriptService({ root: toPortablePath(tmpdir()), program: process.execPath });
    left.push(() => service.close());
    await expect(service.typeErrors(project, [])).rejects.toMatchObject({ code: "typescript-failed" });
    await expect(service.typeErrors(project, [])).rejects.toMatchObject({ code: "typescript-failed" });
  });

  it("rejects all requests after close, which may be called twice", async () => {
    const { service } = virtual({ "a.ts": "1" });
    await service.openProjects([project]);
    const waiting = service.openProjects([project]);
    await Promise.all([service.close(), service.close()]);
    await expect(waiting).rejects.toMatchObject({ code: "typescript-closed" });
    await expect(service.typeErrors(project, [])).rejects.toMatchObject({ code: "typescript-closed" });
  });

  it("rejects a request after its timeout and on abort", async () => {
    const { service } = virtual({ "a.ts": "1" });
    const stopped = new Error("stopped");
    const controller = new AbortController();
    await service.openProjects([project]);
    const pending = service.typeErrors(project, ["/tree/a.ts"], { signal: controller.signal });
    controller.abort(stopped);
    await expect(pending).rejects.toBe(stopped);
    await expect(service.typeErrors(project, [], { signal: controller.signal })).rejects.toBe(stopped);
    expect(await service.typeErrors(project, ["/tree/a.ts"])).toEqual([]);
    const hurried = new TypeScriptService({ root: "/tree", files: filesOfTree("/tree", new Map()), timeoutMs: 0 });
    left.push(() => hurried.close());
    await expect(hurried.typeErrors(project, [])).rejects.toMatchObject({ code: "typescript-slow" });
  });
});

describe("row 16: a process that exceeds a limit is ended with a reason, and its service rejects all requests:", () => {
  const nested = (text: string, count: number) => text.repeat(count);
  const cases: readonly (readonly [what: string, text: string, code: string])[] = [
    ["type arguments that never close", nested("a<", 2_000), "typescript-memory"],
    ["ten times as many", nested("a<\n", 20_000), "typescript-memory"],
    ["parameter lists that never close", nested("async(", 3_000), "typescript-memory"],
    ["conditions that never end", nested("a?b:", 10_000), "typescript-stalled"],
    ["calls that never close", nested("a(", 20_000), "typescript-stalled"],
  ];
  test.each(cases)("%s", { timeout: 60_000 }, async (_, text, code) => {
    const files = filesOfTree("/tree", new Map([...Object.entries({ "tsconfig.json": config, "a.ts": text })]));
    const limits = { maxMemoryMb: 300, stallMs: code === "typescript-memory" ? 50_000 : 1_500 };
    const service = new TypeScriptService({ root: "/tree", files, limits });
    left.push(() => service.close());
    const pending = service.openProjects([project]).then(() => service.typeErrors(project, ["/tree/a.ts"]));
    await expect(pending).rejects.toMatchObject({ code });
    await expect(service.typeErrors(project, [])).rejects.toMatchObject({ code });
  });

  it("does not end a process that works for long and keeps sending responses", async () => {
    const texts = Array.from({ length: 60 }, (_, index) => [`src/f${index}.ts`, shapes] as const);
    const files = filesOfTree("/tree", new Map([["tsconfig.json", config], ...texts]));
    const service = new TypeScriptService({ root: "/tree", files, limits: { stallMs: 5_000 } });
    left.push(() => service.close());
    await service.openProjects([project]);
    const paths = texts.map(([path]) => `/tree/${path}`);
    expect(await service.typeErrors(project, paths)).toEqual([]);
  });

  it("rejects with typescript-failed when the output is no message", async () => {
    const root = await onDisk({ "service.sh": "#!/bin/sh\nprintf 'Content-Length: x\\r\\n\\r\\n{}'\nexec sleep 60\n" });
    await chmod(`${root}/service.sh`, 0o755);
    const service = new TypeScriptService({ root, program: `${root}/service.sh` });
    left.push(() => service.close());
    await expect(service.typeErrors(project, [])).rejects.toMatchObject({ code: "typescript-failed" });
  });
});
