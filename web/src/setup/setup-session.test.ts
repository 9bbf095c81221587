import { expect, test } from "vitest";
import type { SetupQuestion } from "../../../src/server/protocol/setup-protocol.ts";
import { ScriptedPage } from "../fixtures/scripted-page.ts";
import { SetupSession } from "./setup-session.ts";

function start() {
  const page = new ScriptedPage();
  const session = new SetupSession(page.services.server);
  const running = session.run({});
  page.send("emend/setup/step", { kind: "trying", name: "ollama:small", text: "Trying small, 20 s at most." });
  return { page, session, running };
}

const question: Omit<SetupQuestion, "kind"> = { details: "", question: "?", outranked: [], ifEmpty: "no" };

for (const [kind, isConfirmed, news] of [
  ["write", false, ""],
  ["write", true, "Writing the settings, and completing a line of your code."],
  ["next", false, ""],
  ["next", true, ""],
] as const) {
  test(`the news after a ${isConfirmed ? "yes" : "no"} to \`${kind}\` names no try that has ended`, async () => {
    const { session } = start();
    expect(session.news.value).toBe("Trying small, 20 s at most.");
    const answered = session.confirm({ ...question, kind });
    const stage = session.stage.value;
    if (stage.kind === "asking") stage.answer(isConfirmed);
    expect([await answered, session.stage.value.kind, session.news.value]).toEqual([isConfirmed, "running", news]);
  });
}

test.each([
  ["a search", {}, "resting"],
  ["a search at an address", { servers: ["http://127.0.0.1:1"] }, "resting"],
  ["a hosted model", { hosted: "mistral" }, "running"],
  ["a reset", { reset: true }, "running"],
] as const)("another address stops %s with the parameters %j: %s", async (_, params, kind) => {
  const page = new ScriptedPage();
  const session = new SetupSession(page.services.server);
  void session.run(params);
  session.addressChanged();
  await new Promise((resolve) => setTimeout(resolve));
  expect(session.stage.value.kind).toBe(kind);
  void session.run({ servers: ["http://127.0.0.1:2"] });
  expect(session.stage.value.kind).toBe("running");
});

test("an earlier setup can be taken back only where the server finds one", async () => {
  const { page, session, running } = start();
  const state = async (canReset: boolean) => (await page.next("emend/setup/state")).answer({ canReset });
  expect(session.canReset.value).toBe(false);
  (await page.next("emend/setup")).answer({ kind: "written" });
  await state(true);
  await running;
  expect(session.canReset.value).toBe(true);
  const again = session.findEarlier();
  await state(false);
  await again;
  expect(session.canReset.value).toBe(false);
});
