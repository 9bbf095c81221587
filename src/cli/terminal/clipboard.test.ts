import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { copyText } from "./clipboard.ts";
import type { Terminal } from "./terminal.ts";

const text = "引数を増やす\nmake it variadic\n";

/**
 * Copies where these programs are, which exit with these codes, and returns what was reported,
 * printed and copied.
 */
async function copy(
  programs: Readonly<Record<string, number>>,
  {
    copiedText = text,
    ...more
  }: Partial<Pick<Terminal, "environment" | "isWatched" | "isShown">> & { readonly copiedText?: string },
): Promise<{ readonly notice: string; readonly printed: string; readonly copied: Buffer | undefined }> {
  const folder = mkdtempSync(join(tmpdir(), "emend-copy-"));
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, "copied");
  for (const [name, exitCode] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n/bin/cat > '${file}'\nexit ${exitCode}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  let printed = "";
  const print = (text: string) => {
    printed += text;
  };
  const environment = { PATH: folder, ...more.environment };
  const terminal = { out: print, err: print, isShown: false, isWatched: false, signal: new AbortController().signal };
  const answer = await copyText(copiedText, { ...terminal, ...more, environment }).catch((error) => error.message);
  let copied: Buffer | undefined;
  if (Object.keys(programs).length > 0) {
    try {
      copied = readFileSync(file);
    } catch {}
  }
  return { notice: answer, printed, copied };
}

const onX = { DISPLAY: ":0" };
const sequence = `\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`;
const handed = "Sent to the terminal's clipboard, which some terminals have to allow (OSC 52)";

test
  .skipIf(process.platform !== "linux")
  .each<[what: string, programs: Record<string, number>, environment: Record<string, string>, notice: string]>([
    ["on Wayland", { "wl-copy": 0, xclip: 0 }, { WAYLAND_DISPLAY: "w", ...onX }, "Copied with wl-copy"],
    ["on X", { "wl-copy": 0, xclip: 0 }, onX, "Copied with xclip"],
    ["with what is installed", { xsel: 0 }, onX, "Copied with xsel"],
    ["with what works", { xclip: 1, xsel: 0 }, onX, "Copied with xsel"],
  ])("copies by the system's program, %s", async (_, programs, environment, notice) => {
  const answer = await copy(programs, { environment, isWatched: true });
  expect([answer.notice, answer.printed, answer.copied?.toString()]).toEqual([notice, "", text]);
});

test.skipIf(process.platform !== "linux")("copies by Windows' program under WSL, in its encoding", async () => {
  const { notice, copied } = await copy({ "clip.exe": 0 }, { environment: { WSL_DISTRO_NAME: "Debian" } });
  expect([notice, copied?.toString("utf16le")]).toEqual(["Copied with clip.exe", text]);
});

test.skipIf(process.platform !== "linux").each<[what: string, environment: Record<string, string>]>([
  ["without a program", onX],
  ["without a display", {}],
  ["in a session on another machine", { SSH_TTY: "/dev/pts/0", ...onX }],
])("copies through the terminal, %s", async (what, environment) => {
  const programs = what.includes("program") ? {} : { xclip: 0 };
  expect(await copy(programs, { environment, isWatched: true })).toEqual({
    notice: handed,
    printed: sequence,
    copied: undefined,
  });
});

test.skipIf(process.platform !== "linux")("reports what to do where no program can copy", async () => {
  const cure = "Install wl-copy, xclip or xsel, or redirect --prompt to a file.";
  const unwatched = await copy({ xclip: 1 }, { environment: onX });
  expect(unwatched.notice).toBe(
    `The prompt cannot be copied. xclip failed (1). xsel is not installed. There is no terminal to copy with. ${cure}`,
  );
  const long = await copy({}, { isWatched: true, copiedText: "x".repeat(80_000) });
  expect([long.notice, long.printed]).toEqual([
    `The prompt cannot be copied. No program for the clipboard was found. It has 80,000 bytes, and terminals take 74,994. ${cure}`,
    "",
  ]);
});
