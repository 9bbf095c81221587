import { spawn } from "node:child_process";

/**
 * Opens a URL in the person's browser. Resolves with `undefined`, or with a short reason why it may
 * not have opened. Never rejects.
 *
 * The URL is passed as one argument, without a shell.
 */
export async function openBrowser(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const [program, ...args] = programs[process.platform] ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { env: environment, stdio: "ignore", detached: true });
    child.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ENOENT" ? `there is no ${program} on this system` : error.message);
    });
    child.on("close", (exitCode) => {
      resolve(exitCode === 0 ? undefined : `${program} ended with ${exitCode ?? "a signal"}`);
    });
    // A browser started this way may keep running for hours, so the wait is limited.
    setTimeout(() => resolve(undefined), failureMs).unref();
    child.unref();
  });
}

/** The milliseconds in which a program that cannot open the URL ends with an error. */
const failureMs = 10_000;

/**
 * The program that opens a URL, by platform. On Windows `start` is built into the shell; this is
 * what it calls.
 */
const programs: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
