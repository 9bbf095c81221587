import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { buildPackage, runCli } from "../fixtures/run-cli.ts";

beforeAll(buildPackage, 300_000);

/** A workspace with a setting that counts only with trust, and a person's own folder. */
function openWorld() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-trust-")));
  onTestFinished(() => removeFolder(top));
  const root = join(top, "work");
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "package.json"), "{}\n");
  writeFileSync(join(root, "emend.config.json"), '{ "next": { "recordTo": "session.jsonl" } }\n');
  const own = join(top, "config/emend");
  const environment: Record<string, string> = {
    ...{
      XDG_CONFIG_HOME: join(top, "config"),
      EMEND_STATE_DIR: join(top, "state"),
      EMEND_CACHE_DIR: join(top, "cache"),
    },
  };
  const run = (...args: readonly string[]) => runCli(args, { folder: join(root, "src"), environment });
  return {
    ...{ root, own, file: join(own, "emend.config.json"), environment, run },
    async json(...args: readonly string[]): Promise<Record<string, unknown>> {
      const { out, exitCode } = await run(...args, "--json");
      return { ...JSON.parse(out), exitCode };
    },
  };
}

test("emend trust adds the workspace to the person's own file, and --remove takes it out", async () => {
  const { root, file, run, json } = openWorld();
  const issues = async () =>
    ((await json("config"))["issues"] as readonly { readonly message: string }[]).map(({ message }) => message);
  expect(await issues()).toEqual([expect.stringContaining(`or run \`emend trust ${root}\`.`)]);
  const trusted = await run("trust");
  expect(trusted).toMatchObject({ exitCode: 0, err: "" });
  expect(trusted.out).toContain(
    `${root} is trusted now with all folders in it, by ${file}: their settings may choose `,
  );
  expect(await issues()).toEqual([]);
  expect(await json("trust", root)).toEqual({ root, kind: "already-trusted", exitCode: 0 });
  // What the person trusts is not what setup wrote.
  expect(await json("setup", "--reset")).toMatchObject({ kind: "reset", exitCode: 0 });
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ trust: [root] });
  expect(await json("trust", "--remove")).toEqual({ root, kind: "removed", file, exitCode: 0 });
  expect(await issues()).toHaveLength(1);
  expect(existsSync(file)).toBe(false);
  expect(await json("trust", "--remove")).toEqual({ root, kind: "not-trusted", exitCode: 0 });
});

test("emend trust --remove says where another setting trusts the folder", async () => {
  const { root, own, file, environment, json } = openWorld();
  mkdirSync(own, { recursive: true });
  writeFileSync(file, JSON.stringify({ trust: [join(root, "..")] }));
  expect(await json("trust", "--remove")).toEqual({ root, kind: "still-trusted", exitCode: 8 });
  writeFileSync(file, "{}");
  environment["EMEND_TRUST"] = root;
  expect(await json("trust", "--remove")).toEqual({ root, kind: "still-trusted", exitCode: 8 });
  // The variable trusts the folder for now alone.
  expect(await json("trust")).toEqual({ root, kind: "trusted", file, exitCode: 0 });
});

test("emend trust edits no file that is code, and names what is missing or broken", async () => {
  const { root, own, file, run, json } = openWorld();
  expect(await json("trust", "nowhere")).toMatchObject({ code: "file-missing", exitCode: 3 });
  mkdirSync(own, { recursive: true });
  writeFileSync(file, "{ broken");
  expect(await json("trust")).toMatchObject({ code: "broken-file", exitCode: 1 });
  removeFolder(file);
  removeFolder(own);
  writeFileSync(own, "");
  expect((await run("config")).err).toMatch(/^`next\.recordTo` .* is put aside: [^\n]*\n$/);
  expect(await json("trust")).toMatchObject({
    code: "not-writable",
    message: expect.stringContaining(`The folder ${own} of your settings cannot be made`),
  });
  expect((await json("setup", "--reset"))["notes"]).toEqual([`Setup has written nothing to ${file}.`]);
  removeFolder(own);
  mkdirSync(own);
  const code = join(own, "emend.config.mjs");
  writeFileSync(code, "export default {};\n");
  const { out, exitCode } = await run("trust");
  expect([out, exitCode]).toEqual([`${code} is code and is not edited. Add trust: ["${root}"]\n`, 8]);
  expect(existsSync(file)).toBe(false);
});

test.each<readonly [case_: string, command: readonly string[], text: (root: string) => string, isLinked: boolean]>([
  ["trust", ["trust"], () => "{}\n", false],
  ["trust, through a symbolic link", ["trust"], () => "{}\n", true],
  ["trust --remove", ["trust", "--remove"], (root) => JSON.stringify({ model: "builtin", trust: [root] }), false],
])("row 31: a settings file with hard links is refused, and no link is split: %s", async (...given) => {
  const [, command, textOf, isLinked] = given;
  const { root, own, file, json } = openWorld();
  mkdirSync(own, { recursive: true });
  const [written, other] = [isLinked ? join(own, "dotfile.json") : file, join(own, "other.json")];
  writeFileSync(written, textOf(root));
  linkSync(written, other);
  if (isLinked) symlinkSync(written, file);
  const { code, message, exitCode } = await json(...command);
  expect([code, exitCode]).toEqual(["hard-link", 1]);
  expect(message).toContain(`${file} has 2 names on the disk (hard links), and only this one would get the new text`);
  expect([readFileSync(file, "utf8"), statSync(written).ino]).toEqual([textOf(root), statSync(other).ino]);
});
