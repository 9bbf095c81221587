import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Shop, shop } from "./fixtures/plan-shop.ts";

const note = "An edit was interrupted, and its change is still in the files. `emend undo` restores them.";

/** A shop with a written edit, in which a process was killed while it verified another one. */
async function interrupted(whileRunning?: (work: Shop) => Promise<void>): Promise<Shop> {
  const work = new Shop({ ...shop, a: "a\n", b: "b\nb\n" });
  const sum = (from: number) => `  return list.reduce((sum, one) => sum + price(one), ${from});`;
  const answer = `src/cart.ts\n<<<<<<< SEARCH\n${sum(0)}\n=======\n${sum(1)}\n>>>>>>> REPLACE\n`;
  expect((await work.run(["apply", "-", "--yes"], { input: answer })).exitCode).toBe(0);
  const script = fileURLToPath(new URL("../edit/node/fixtures/try-and-hang.ts", import.meta.url));
  const journal = join(work.environment["EMEND_STATE_DIR"]!, "edits");
  const args = ["--import", "tsx", script, work.folder, journal];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  await whileRunning?.(work);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(work.read("a")).toBe("tried a\n");
  return work;
}

test("commands that write nothing report the change of an interrupted edit, and `emend undo` reverts it alone", async () => {
  const work = await interrupted(async (running) => {
    expect((await running.run(["impact"])).err).not.toContain("interrupted");
  });
  for (const command of ["next", "impact"]) expect((await work.run([command])).err).toContain(`${note}\n`);
  expect(JSON.parse((await work.run(["next", "--json"])).out).notes).toContain(note);
  expect((await work.run(["status"])).out).toContain(`\n\n${note}\n`);
  const edited = work.read("src/cart.ts");
  const { exitCode, err } = await work.run(["undo"]);
  expect([exitCode, err]).toEqual([0, "An earlier run was interrupted; its files were restored: a and b.\n"]);
  expect([work.read("a"), work.read("b"), work.read("src/cart.ts")]).toEqual(["a\n", "b\nb\n", edited]);
  expect((await work.run(["impact"])).err).not.toContain("interrupted");
  expect((await work.run(["undo"])).exitCode).toBe(0);
  expect(work.read("src/cart.ts")).toBe(shop["src/cart.ts"]);
});
