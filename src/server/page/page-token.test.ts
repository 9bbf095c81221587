import { expect, test } from "vitest";
import { FakeClock } from "../../codebase/fixtures/fake-clock.ts";
import { isSameToken, newPageToken, Tickets } from "./page-token.ts";

test("a token has 256 bits, and needs no encoding in a path", () => {
  const tokens = Array.from({ length: 100 }, newPageToken);
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) {
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
  }
});

test("tokens of any lengths are compared", () => {
  expect(isSameToken("a", "a")).toBe(true);
  expect(isSameToken("a", "b")).toBe(false);
  expect(isSameToken("a", "ab")).toBe(false);
  expect(isSameToken("", "a")).toBe(false);
});

test("a ticket is valid for one use and a limited time", () => {
  const clock = new FakeClock();
  const tickets = new Tickets(clock);
  const [one, other] = [tickets.issue(), tickets.issue()];
  expect(tickets.redeem("")).toBe(false);
  expect(tickets.redeem(one)).toBe(true);
  expect(tickets.redeem(one)).toBe(false);
  clock.advance(120_000);
  expect(tickets.redeem(other)).toBe(false);
});
