import { describe, expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import {
  authorizeRequest,
  isSameToken,
  newPageToken,
  type PageAccess,
  type RequestHead,
  Tickets,
} from "./authorize-request.ts";

const token = "the-token";
const door: PageAccess = { port: 8080, token, tickets: { redeem: (secret) => secret === "the-ticket" } };

/**
 * What becomes of a request of the page itself but for what is given here, in a word: the route, or
 * the status.
 */
function admit(face: Partial<RequestHead>): string {
  const admission = authorizeRequest(
    {
      ...{ method: "GET", target: "/the-token/api/file", host: "127.0.0.1:8080" },
      ...{ origin: undefined, fetchSite: undefined, fetchDestination: undefined },
      ...face,
    },
    door,
  );
  if (admission.kind === "admitted") return `/${admission.route}`;
  return admission.kind === "moved" ? `to ${admission.location}` : String(admission.status);
}

describe("a request is authorized", () => {
  test.each<readonly [Partial<RequestHead>, string]>([
    [{}, "/api/file"],
    [{ host: "localhost:8080" }, "/api/file"],
    [{ host: "LocalHost:8080" }, "/api/file"],
    [{ origin: "http://127.0.0.1:8080" }, "/api/file"],
    [{ host: "localhost:8080", origin: "http://localhost:8080" }, "/api/file"],
    [{ fetchSite: "same-origin" }, "/api/file"],
    [{ fetchSite: "none", target: "/the-token/" }, "/"],
    [{ target: "/the-token/?x=1" }, "/"],
    [{ target: "/the-token/assets/a.js" }, "/assets/a.js"],
    // A link on another site, or in a terminal that is a page itself.
    [{ target: "/the-token/", fetchSite: "cross-site", fetchDestination: "document" }, "/"],
    [{ target: "/the-token" }, "to /the-token/"],
    [{ target: "/the-ticket" }, "to /the-token/"],
    [{ target: "/the-ticket", fetchSite: "none", fetchDestination: "document" }, "to /the-token/"],
  ])("%j -> %s", (face, expected) => expect(admit(face)).toBe(expected));
});

describe("a request is refused", () => {
  test.each<readonly [Partial<RequestHead>, string]>([
    // A name of somebody else's that leads to this machine.
    [{ host: "evil.example:8080" }, "403"],
    [{ host: "127.0.0.1.evil.example:8080" }, "403"],
    [{ host: "localhost.:8080" }, "403"],
    [{ host: "127.0.0.1" }, "403"],
    [{ host: "127.0.0.1:80" }, "403"],
    [{ host: "127.0.0.1:8080@evil.example" }, "403"],
    [{ host: "0.0.0.0:8080" }, "403"],
    [{ host: "[::1]:8080" }, "403"],
    [{ host: "" }, "403"],
    [{ host: undefined }, "403"],
    // A page of somebody else's.
    [{ origin: "http://evil.example" }, "403"],
    [{ origin: "https://127.0.0.1:8080" }, "403"],
    [{ origin: "http://127.0.0.1:8081" }, "403"],
    [{ origin: "http://localhost:8080" }, "403"],
    [{ origin: "http://127.0.0.1:8080.evil.example" }, "403"],
    [{ origin: "null" }, "403"],
    [{ origin: "" }, "403"],
    [{ fetchSite: "cross-site" }, "403"],
    [{ fetchSite: "same-site" }, "403"],
    [{ fetchSite: "cross-site", fetchDestination: "document" }, "403"],
    [{ target: "/the-token/", fetchSite: "cross-site", fetchDestination: "iframe" }, "403"],
    [{ target: "/the-token/", fetchSite: "cross-site", fetchDestination: "document", method: "POST" }, "403"],
    // Without the token.
    [{ target: "/" }, "404"],
    [{ target: "" }, "404"],
    [{ target: "*" }, "404"],
    [{ target: "/api/file" }, "404"],
    [{ target: "//the-token/api/file" }, "404"],
    [{ target: "/x/../the-token/api/file" }, "404"],
    [{ target: "/the-tokeN/api/file" }, "404"],
    [{ target: "/the-token%2f/api/file" }, "404"],
    [{ target: "/%74he-token/api/file" }, "404"],
    [{ target: "/the-toke/api/file" }, "404"],
    [{ target: "/the-token1/api/file" }, "404"],
    [{ target: "?/the-token/api/file" }, "404"],
    [{ target: "http://127.0.0.1:8080/the-token/api/file" }, "404"],
    // A ticket opens the page and nothing else.
    [{ target: "/the-ticket/api/file" }, "404"],
    [{ target: "/the-ticket/" }, "404"],
    [{ target: "/the-ticket", method: "HEAD" }, "404"],
    [{ target: "/the-ticket", fetchSite: "cross-site" }, "404"],
  ])("%j -> %s", (face, expected) => expect(admit(face)).toBe(expected));
});

test("accepts a host without the default port", () => {
  const face = { method: "GET", target: "/the-token/", fetchSite: undefined, fetchDestination: undefined };
  const usual = { ...door, port: 80 };
  expect(authorizeRequest({ ...face, host: "localhost", origin: "http://localhost" }, usual).kind).toBe("admitted");
});

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
