import { fittingTemplates, tellsTokens, tryFindStrangeMark } from "./clients/fitting-templates.ts";
import { ModelServer } from "./clients/model-server.ts";
import { surveyServer } from "./clients/survey-server.ts";
import type { FillRequest, Model, ModelCallOptions } from "./model.ts";
import { ModelError } from "./model-error.ts";
import type { ModelClock, ModelHost } from "./model-host.ts";
import { parseModelName, printModelName, type ServerModelName } from "./model-name.ts";
import type { ModelProblem, ModelReport } from "./model-report.ts";
import { clientOf, fillWayOf, modelOf, templateOf } from "./open-model.ts";

/**
 * Tries a model: is its server there, what does it tell, does it fill, and how quickly? Whatever is wrong is in the
 * report, with the command or setting that helps. Takes two short fills and a few questions.
 *
 * Rejects only with the signal's own reason.
 */
export async function probeModel(
  name: string | ServerModelName,
  host: ModelHost,
  options: ModelCallOptions = {},
): Promise<ModelReport> {
  options.signal?.throwIfAborted();
  const read = typeof name === "string" ? parseModelName(name) : { name, issues: [] };
  const nothing = { isReachable: false, can: { fill: false, chat: false, next: false } };
  if (read.name === undefined || read.name.provider === "builtin" || read.name.provider === "gguf") {
    const message = read.issues[0]?.message ?? `No server has \`${name}\`.`;
    return { ...nothing, name: String(name), problems: [{ code: "name", message }] };
  }
  const problems: ModelProblem[] = [];
  const server = new ModelServer(read.name, { ...host, settings: { ...host.settings, retries: 0 } });
  let report: ModelReport = { ...nothing, name: printModelName(read.name), problems };
  try {
    const model = modelOf(server, host);
    const fillBy = fillWayOf(server);
    const template = templateOf(server)?.name;
    report = { ...report, fillBy, ...(template === undefined ? {} : { template }) };
    const survey = await tryServer(server, problems, options);
    if (survey === undefined) return report;
    report = { ...report, isReachable: true, ...survey };
    if (problems.some(({ code }) => code === "no-key" || code === "key-refused")) return report;
    if (fillBy === "template" && tellsTokens(server)) await tryTemplate(server, problems, options);
    const filled = await tryFill(model, { server, clock: host.clock, problems }, options);
    if (fillBy !== "chat") {
      const call = await clientOf(server).fill(sample, options);
      report = { ...report, endpoint: server.urlOf(call.request) };
    }
    const can = { fill: filled !== undefined, chat: model.chat !== undefined, next: await tryNext(model, options) };
    return { ...report, can, ...filled };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (!problems.some(({ message }) => message === error.message))
      problems.push({ code: error.code, message: error.message });
    return report;
  }
}

/** The first primes: enough text to measure by, and nothing that prose or a comment begins with. */
const sample: FillRequest = {
  path: "primes.js",
  language: "javascript",
  prefix: "// The first twenty prime numbers.\nconst primes = [",
  suffix: "];\n",
  maxLines: 3,
  maxTokens: 64,
  temperature: 0,
};

/** What the server tells about itself; `undefined` when nobody is there. */
async function tryServer(
  server: ModelServer,
  problems: ModelProblem[],
  options: ModelCallOptions,
): Promise<Pick<ModelReport, "server" | "contextTokens" | "training"> | undefined> {
  const { facts, name, settings } = server;
  try {
    const { version, models, contextTokens, training } = await surveyServer(server, options);
    if (models !== undefined && name.model !== undefined && !models.includes(name.model)) {
      const shown = models.slice(0, 8).join(", ");
      const command =
        facts.fetchModel === undefined ? "" : ` Run \`${facts.fetchModel(name.model)}\`, or name one of these.`;
      problems.push({
        code: "model-not-listed",
        message: `${facts.title} does not list ${JSON.stringify(name.model)}; it has ${shown === "" ? "none" : shown}.${command}`,
      });
    }
    if (contextTokens !== undefined && (settings.contextTokens ?? 0) > contextTokens) {
      problems.push({
        code: "context-too-large",
        message: `\`contextTokens\` is ${settings.contextTokens}, and the server takes ${contextTokens}. Set it to that, or start the server with more.`,
      });
    }
    return {
      server: `${facts.title}${version === undefined ? "" : ` ${version}`} at ${name.baseUrl}`,
      ...(contextTokens === undefined ? {} : { contextTokens: settings.contextTokens ?? contextTokens }),
      ...(training === undefined ? {} : { training }),
    };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    problems.push({ code: error.code, message: error.message });
    // Whoever refuses is there.
    return error.status === undefined ? undefined : { server: `${facts.title} at ${name.baseUrl}` };
  }
}

/** Whether the marks of the template are the model's own. */
async function tryTemplate(server: ModelServer, problems: ModelProblem[], options: ModelCallOptions): Promise<void> {
  const template = templateOf(server)!;
  try {
    const strange = await tryFindStrangeMark(server, template, options);
    if (strange === undefined) return;
    const fitting = await fittingTemplates(server, options);
    const cure =
      fitting.length === 0
        ? "No known template fits; set `fillBy` to `chat`."
        : `Set \`template\` to ${fitting.join(" or ")}.`;
    const message = `The model does not know ${strange}, a mark of the template ${template.name}: it is of another family. ${cure}`;
    problems.push({ code: "template-mismatch", message });
  } catch (error) {
    // A server without a tokeniser to ask says nothing for or against a template.
    if (!(error instanceof ModelError)) throw error;
  }
}

async function tryFill(
  model: Model,
  {
    server,
    clock,
    problems,
  }: { readonly server: ModelServer; readonly clock: ModelClock; readonly problems: ModelProblem[] },
  options: ModelCallOptions,
): Promise<Pick<ModelReport, "firstTokenMs" | "tokensPerSecond"> | undefined> {
  if (model.fill === undefined) {
    problems.push({ code: "unsupported", message: "The model can only chat, and there is no chat here to fill by." });
    return undefined;
  }
  try {
    // The first answer may wait for the model to be loaded.
    await timeFill(model, { ...sample, prefix: "const one = ", suffix: ";\n", maxTokens: 1 }, clock, options);
    const { text, firstTokenMs, tokensPerSecond } = await timeFill(model, sample, clock, options);
    const isCompletion = fillWayOf(server) !== "chat";
    if (text.trim() === "") {
      const message = `It fills the hole in \`const primes = […]\` with nothing. ${isCompletion ? wrongTemplate : "Another model may do better."}`;
      problems.push({ code: "silent", message });
    } else if (isCompletion && /^\s*(```|[A-Z][a-z]+('s)? [a-z])/.test(text)) {
      problems.push({
        code: "prose",
        message: `It answers in prose: ${JSON.stringify(text.slice(0, 40))}. ${wrongTemplate}`,
      });
    }
    return {
      ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
      ...(tokensPerSecond === undefined ? {} : { tokensPerSecond }),
    };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    const hint = error.code === "unsupported" && tellsTokens(server) ? await templateHint(server, options) : "";
    problems.push({ code: error.code, message: error.message + hint });
    return undefined;
  }
}

const wrongTemplate =
  "Its template is of another family, or it is a model that converses: take a base model, set `template`, or set `fillBy` to `chat`.";

/** Which templates the model's own tokens speak for. */
async function templateHint(server: ModelServer, options: ModelCallOptions): Promise<string> {
  try {
    const fitting = await fittingTemplates(server, options);
    return fitting.length === 0 ? "" : ` Its tokeniser has the marks of ${fitting.join(" and ")}.`;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return "";
  }
}

async function timeFill(
  model: Model,
  request: FillRequest,
  clock: ModelClock,
  options: ModelCallOptions,
): Promise<{ readonly text: string } & Pick<ModelReport, "firstTokenMs" | "tokensPerSecond">> {
  const begun = clock.now();
  const times: number[] = [];
  let text = "";
  for await (const part of model.fill!(request, options)) {
    text += part.text;
    times.push(clock.now());
  }
  const [first] = times;
  const last = times.at(-1);
  if (first === undefined || last === undefined) return { text };
  const tokensPerSecond = last > first ? ((times.length - 1) * 1000) / (last - first) : undefined;
  return { text, firstTokenMs: first - begun, ...(tokensPerSecond === undefined ? {} : { tokensPerSecond }) };
}

async function tryNext(model: Model, options: ModelCallOptions): Promise<boolean> {
  try {
    return model.next !== undefined && (await model.next({ ...sample, limit: 1 }, options)).length > 0;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    return false;
  }
}
