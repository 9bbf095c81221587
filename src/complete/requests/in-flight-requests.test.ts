import { expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { ScriptedModel, type ScriptStep } from "../fixtures/scripted-model.ts";
import { tryPlace } from "../place.ts";
import { type InFlightRequest, InFlightRequests } from "./in-flight-requests.ts";
import { ModelRequest } from "./model-request.ts";

const flush = () => new Promise((resolve) => void setImmediate(resolve));

function placeAt(text: string) {
  const document = { uri: "file:///a", language: "typescript", version: 1, text: text.replace("|", "") };
  return tryPlace({ document, path: "a.ts", offset: text.indexOf("|"), trigger: "automatic" })!;
}

function open() {
  const clock = new FakeClock();
  const pending = new InFlightRequests(clock, 1000);
  const send = (text: string, steps: readonly ScriptStep[], isAhead = false): InFlightRequest => {
    const model = new ScriptedModel({ clock, script: () => steps });
    const ask = new ModelRequest({
      ...{
        model,
        clock,
        timeoutMs: 9000,
        patienceMs: 9000,
        maxLineCharacters: 1000,
        bare: (text: string) => ({ text, changes: [] }),
        isEnough: () => false,
        isUsable: () => false,
      },
      request: { path: "a.ts", language: "typescript", prefix: "", suffix: "" },
    });
    const prompt = {
      ...{ prefix: "", suffix: "", context: [], pieces: [], tokens: 0 },
      budget: { maxTokens: 1, suffixShare: 0 },
      counter: { name: "an estimate", isExact: false },
    };
    const sent = { request: ask, number: 1, place: placeAt(text), prompt, model: "remote", rank: 0, isAhead };
    pending.add(sent);
    return sent;
  };
  return { clock, pending, send };
}

test.each([
  ["a = |;", "a = |;", "found"],
  ["a = |;", "a = f|;", "found"],
  ["a = |;", "a = fo|;", "found"],
  ["a = |;", "a = foo|;", "found"],
  ["a = |;", "a = x|;", "not found"],
  ["a = |;", "a = foz|;", "found"],
  ["a = |;", "a =|;", "not found"],
  ["a = |;", "a = f|,", "not found"],
  ["a = |;", "a = f(|);", "not found"],
  ["a = fo|;", "a = fo(|);", "not found"],
])("asked at %j, whose answer begins with fo, now at %j: %s", async (requested, now, expected) => {
  const { pending, send } = open();
  const sent = send(requested, ["fo", 100, "o"]);
  await flush();
  expect(pending.find(placeAt(now)) === sent ? "found" : "not found").toBe(expected);
  pending.stopMoot(placeAt(now), false);
  expect(pending.size).toBe(expected === "found" ? 1 : 0);
});

test("an in-flight request is stopped some time after its last caller has left", async () => {
  const { clock, pending, send } = open();
  const sent = send("a = |", [5000, "b"]);
  const one = pending.hold(sent);
  const other = pending.hold(sent);
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  clock.advance(2000);
  expect(pending.size).toBe(1);
  other[Symbol.dispose]();
  clock.advance(900);
  const again = pending.hold(sent);
  clock.advance(900);
  expect(pending.size).toBe(1);
  again[Symbol.dispose]();
  clock.advance(1000);
  expect(pending.size).toBe(0);
});

test("at most one request is sent in advance", async () => {
  const { pending, send } = open();
  const first = send("a = b;|", [5000], true);
  send("a = c;|", [5000], true);
  expect(first.request.isOver).toBe(true);
  expect(pending.size).toBe(1);
  pending.stopMoot(placeAt("a = |"), true);
  expect(pending.size).toBe(1);
  pending.stopMoot(placeAt("a = |"), false);
  expect(pending.size).toBe(0);
});
