import { z } from "zod";
import { formats } from "../../formats/index.ts";
import { fillTemplates, parseModelName, requestOptionIssues } from "../../model/index.ts";
import { defaultNextEditSettings, nextEditFormats } from "../../next/index.ts";
import {
  tryFileTypeIssue,
  tryFolderIssue,
  tryHeaderIssue,
  tryLanguageIssue,
  tryModelKeyIssue,
  tryTrustIssue,
} from "./pattern-issues.ts";

/** A model's name, refused with what to write instead. */
const modelName = z.string().superRefine((text, context) => {
  const issue = parseModelName(text).issues[0];
  if (issue !== undefined) context.addIssue({ code: "custom", message: issue.message });
});

const count = (min: number, max: number, description: string) => z.int().min(min).max(max).meta({ description });
const choice = (description: string) => z.boolean().meta({ description });

/** Fields for the body of requests; those that carry the request are refused. */
const requestOptions = (description: string) =>
  z
    .record(z.string(), z.unknown())
    .meta({ description })
    .superRefine((options, context) => {
      for (const { path, message } of requestOptionIssues(options))
        context.addIssue({ code: "custom", path: [...path], message });
    });

/** A pattern of a template; without one of these slots a part of the prompt would be missing. */
const pattern = (...slots: readonly string[]) =>
  z.string().superRefine((text, context) => {
    const missing = slots.filter((slot) => !text.includes(slot)).map((slot) => `\`${slot}\``);
    if (missing.length === 0) return;
    const message = `Each of these slots is required: ${slots.map((slot) => `\`${slot}\``).join(", ")}. Add ${missing.join(" and ")}.`;
    context.addIssue({ code: "custom", message });
  });

const template = z
  .strictObject({
    name: z.string().min(1),
    models: z.string().default(""),
    fill: pattern("{prefix}", "{suffix}"),
    repository: z
      .strictObject({ each: pattern("{text}"), fill: pattern("{others}", "{prefix}", "{suffix}") })
      .exactOptional(),
    stops: z.array(z.string().min(1)),
    specialTokens: z.array(z.string().min(1)),
  })
  .meta({ description: "Your own fill-in-the-middle template, with the slots `{prefix}` and `{suffix}`." });

const modelSettings = z
  .strictObject({
    template: z
      .union([z.enum(fillTemplates.map(({ name }) => name)), template])
      .exactOptional()
      .meta({
        description:
          "The fill-in-the-middle template: the name of a known template, or your own. Default: the server builds the prompt.",
      }),
    fillBy: z.enum(["completion", "chat"]).exactOptional().meta({
      description:
        "How the model is asked to fill in code at the cursor: `completion` uses the server's fill-in-the-middle endpoint or the template, `chat` sends an instruction as a chat message. Default: `chat` for servers that only chat, otherwise `completion`.",
    }),
    contextTokens: count(
      256,
      10_000_000,
      "Size of the model's context window in tokens: the prompt and its answer together. Default: what the server reports.",
    ).exactOptional(),
    promptMs: count(
      0,
      60_000,
      "Maximum time that a server on this machine spends evaluating a prompt of ghost text, in milliseconds. A slower model starts with a smaller prompt, which grows while you pause. 0 turns the limit off. Default: 2,000.",
    ).exactOptional(),
    maxStops: count(
      0,
      1000,
      "Maximum number of stop strings in one request. Default: the limit of the server.",
    ).exactOptional(),
    headers: z
      .record(z.string(), z.string())
      .exactOptional()
      .meta({
        description: `HTTP headers that are sent with every request. \`\${NAME}\` in a value is replaced by the environment variable \`NAME\`.`,
      })
      .superRefine((headers = {}, context) => {
        for (const [name, value] of Object.entries(headers)) {
          const message = tryHeaderIssue(name, value);
          if (message !== undefined) context.addIssue({ code: "custom", path: [name], message });
        }
      }),
    keyCommand: z
      .array(z.string())
      .min(1)
      .exactOptional()
      .meta({
        description:
          'A program with its arguments that prints the key in its first line, used where no variable holds one: `["pass", "show", "mistral"]`. It runs without a shell, for at most 10 s. Only in your own file.',
      })
      .superRefine((command = [], context) => {
        if (/^[^/\\]+$|^\/|^[A-Za-z]:[\\/]/.test(command[0] ?? "")) return;
        const message = "The program is a name that `PATH` finds, or an absolute path.";
        context.addIssue({ code: "custom", path: [0], message });
      }),
    request: requestOptions(
      'Fields that are merged into the body of every request, nested ones too: `{ "options": { "num_gpu": 0 } }`. They override what Emend sends. In a workspace\'s file it has an effect only if the workspace is trusted.',
    ).exactOptional(),
    firstByteMs: count(
      1,
      3_600_000,
      "Maximum time to the first byte of an answer, in milliseconds. Default: 60,000, because a server may have to load the model.",
    ).exactOptional(),
    idleMs: count(
      1,
      3_600_000,
      "Maximum time between two parts of an answer, in milliseconds. Default: 20,000.",
    ).exactOptional(),
    totalMs: count(
      1,
      86_400_000,
      "Maximum time from a request to the end of its answer, including retries, in milliseconds. Default: 600,000.",
    ).exactOptional(),
    retries: count(
      0,
      10,
      "Maximum number of retries after a failed request, where a retry is safe. Default: 2.",
    ).exactOptional(),
    probabilities: choice(
      "Whether token probabilities are requested from the server. Default: only from servers that report them without delay.",
    ).exactOptional(),
    price: z
      .strictObject({
        input: z.number().min(0).meta({
          description:
            "Price of a million prompt tokens, in any currency; `emend plan --max-cost` uses the same currency. In a workspace's file it has an effect only if the workspace is trusted.",
        }),
        output: z
          .number()
          .min(0)
          .meta({ description: "Price of a million tokens that the model generates, in the same currency." }),
      })
      .exactOptional(),
  })
  .meta({ description: "Settings of one model." });

/**
 * On or off by what the keys name; a key that names nothing is refused with the form that works.
 */
const switches = (description: string, tryIssue: (key: string) => string | undefined) =>
  z
    .record(z.string(), z.boolean())
    .meta({ description })
    .superRefine((named, context) => {
      for (const key of Object.keys(named)) {
        const message = tryIssue(key);
        if (message !== undefined) context.addIssue({ code: "custom", path: [key], message });
      }
    });

const languageSwitches = (description: string) => switches(description, tryLanguageIssue);

const fileTypeSwitches = () =>
  switches(
    "Turns suggestions on or off by file name: an ending such as `.md`, or a glob such as `*.test.*`. Overrides the language.",
    tryFileTypeIssue,
  );

const folderSwitches = () =>
  switches(
    "Turns suggestions on or off by folder: a path from the workspace root such as `docs/old`, or a glob such as `packages/*/src`. Overrides the file type.",
    tryFolderIssue,
  );

const complete = z
  .strictObject({
    enabled: choice("Whether ghost text appears automatically. Ghost text that you request by key is not affected."),
    languages: languageSwitches(
      "Turns automatic ghost text on or off by language id; ids that only the editor knows are allowed. `*` applies to all languages that are not listed.",
    ),
    fileTypes: fileTypeSwitches(),
    folders: folderSwitches(),
    comments: choice("Whether ghost text appears automatically inside comments."),
    strings: choice("Whether ghost text appears automatically inside strings."),
    eagerness: z.enum(["quiet", "normal", "eager"]).meta({
      description:
        "How readily ghost text appears automatically: `quiet` only where it is most likely to be accepted, `eager` everywhere.",
    }),
    maxLines: count(1, 200, "Maximum number of lines of a suggestion."),
    maxLineCharacters: count(
      20,
      100_000,
      "Maximum number of characters of a line in a model's answer. Reading stops at a longer line.",
    ),
    maxDocumentCharacters: count(
      1000,
      100_000_000,
      "Maximum number of characters of a document. Longer documents get no ghost text, not even by key.",
    ),
    multiLine: z.enum(["auto", "never"]).meta({
      description:
        "Whether suggestions may have several lines: `auto` where the syntax at the cursor calls for a block or a longer statement, or `never`.",
    }),
    debounceMs: z.union([z.literal("auto"), z.int().min(0).max(10_000)]).meta({
      description:
        "Delay after the last key before ghost text is requested, in milliseconds. `auto`: a shorter delay the more likely a suggestion is to be accepted.",
    }),
    timeoutMs: count(100, 600_000, "Maximum time that a model may take for a suggestion, in milliseconds."),
    ahead: choice("Whether the suggestion that follows is requested in advance, while a suggestion is shown."),
    guide: z.enum(["auto", "off", "always"]).meta({
      description:
        "Whether the language's grammar constrains suggestions: `auto` for models that can be constrained while they write, `always` also truncates answers of other models where they leave the grammar, `off` never.",
    }),
    members: z.enum(["on", "off"]).meta({
      description:
        "Whether names after a dot in TypeScript and JavaScript are limited to the members that the type checker knows.",
    }),
    nextEdits: choice(
      "Whether a next edit that only inserts text after the cursor is shown as ghost text where there is no other ghost text.",
    ),
  })
  .meta({ description: "Ghost text." });

const nextContext = z
  .strictObject({
    linesAbove: z.union([z.literal("up-to-text"), z.int().min(0).max(1000)]).meta({
      description:
        "Number of lines above the cursor's line in the editable region, which is the text that a model may rewrite. `up-to-text`: up to the nearest line that is not blank, beginning with the cursor's line, as some models were trained.",
    }),
    linesBelow: count(0, 1000, "Number of lines below the cursor's line in the editable region."),
    moreLinesBelow: count(
      0,
      1000,
      "Number of lines that are added below the editable region for a second request, which is sent if the model proposed no edit. 0: no second request.",
    ),
    regionTokens: count(50, 1_000_000, "Maximum number of tokens of the editable region."),
    contextLines: count(
      0,
      1000,
      "Number of lines of context above the editable region, and below it, in formats that show such context.",
    ),
    excerptLines: count(
      1,
      1000,
      "The excerpt of the file begins and ends at a multiple of this number of lines, so that it stays the same, and servers can reuse their prompt cache, while the cursor moves by a few lines.",
    ),
    excerptTokens: count(0, 1_000_000, "Maximum number of tokens of the excerpt of the file around the cursor."),
    historyEdits: count(0, 25, "Maximum number of recent edits in the prompt."),
    historyTokens: count(0, 1_000_000, "Maximum number of tokens of recent edits."),
    viewedSnippets: count(
      0,
      50,
      "Maximum number of recently viewed snippets: excerpts of other files, around the last position of the cursor.",
    ),
    viewedTokens: count(0, 1_000_000, "Maximum number of tokens of all recently viewed snippets, in equal shares."),
    diagnostics: count(0, 100, "Maximum number of diagnostics near the cursor."),
  })
  .meta({ description: "The prompt for next edit models. A model with a smaller context window gets less." });

const next = z
  .strictObject({
    enabled: choice("Whether next edits appear automatically. Next edits that you request by key are not affected."),
    languages: languageSwitches(
      "Turns automatic next edits on or off by language id; ids that only the editor knows are allowed. `*` applies to all languages that are not listed.",
    ),
    fileTypes: fileTypeSwitches(),
    folders: folderSwitches(),
    eagerness: z.enum(["quiet", "normal", "eager"]).meta({
      description:
        "How readily next edits appear automatically, by their estimated likelihood: `quiet` from 0.8, `normal` from 0.6, `eager` from 0.3.",
    }),
    leastLikelihood: z.number().min(0).max(1).meta({
      description:
        "Minimum likelihood, from 0 to 1, of a next edit that you request by key, where no likelier edit is known.",
    }),
    origins: z.array(z.enum(defaultNextEditSettings.origins)).meta({
      description:
        "Which providers propose next edits: `example` repeats your recent edits in similar places, `name` completes renames, `fix` repairs new errors, `impact` follows changed declarations, and `model` asks the model of `next.model`.",
    }),
    model: z.union([modelName.transform((name) => [name]), z.array(modelName)]).meta({
      description:
        "The model for next edits, or several in order of preference. It is requested where no other provider has a suggestion. An empty list: no model.",
    }),
    request: requestOptions(
      'Request options for the models of `next.model`, merged over `models["…"].request`. In a workspace\'s file it has an effect only if the workspace is trusted.',
    ),
    format: z.enum(["auto", ...nextEditFormats.map(({ name }) => name)]).meta({
      description:
        "The format of prompts and answers of the next edit model. `auto`: the format that the model was trained for, where that is known.",
    }),
    context: nextContext,
    debounceMs: count(
      0,
      10_000,
      "Delay after the last key before a model is requested, in milliseconds. Suggestions of other providers are not delayed.",
    ),
    afterRejectionMs: count(0, 600_000, "Time without automatic next edits after you reject one, in milliseconds."),
    timeoutMs: count(100, 600_000, "Maximum time that a model may take for its first edit, in milliseconds."),
    typesMs: count(
      0,
      60_000,
      "Maximum time that the type checker may take for an edit, in milliseconds. After it, the edit is suggested unchecked.",
    ),
    maxLines: count(1, 1000, "Maximum number of lines of an edit, before and after the change."),
    maxDocumentCharacters: count(
      1000,
      100_000_000,
      "Maximum number of characters of a document. Longer documents get no next edits.",
    ),
    whiteSpace: choice("Whether edits that only change white space are suggested."),
    imports: choice("Whether edits that only change imports are suggested."),
    recordTo: z.string().meta({
      description:
        "A file to which the language server records the session, which is your edits and the suggestions: an absolute path, or a path from the workspace root. Empty: no recording. In a workspace's file it has an effect only if the workspace is trusted.",
    }),
  })
  .meta({ description: "Next edits." });

const context = z
  .strictObject({
    maxTokens: count(
      256,
      1_000_000,
      "Maximum number of tokens of a prompt. A model with a smaller context window gets less.",
    ),
    suffixShare: z.number().min(0).max(0.9).meta({
      description:
        "Share of the prompt, from 0 to 0.9, that is reserved for the text after the cursor. What that text does not need is used for the rest.",
    }),
    maxLines: count(
      0,
      100_000,
      "Maximum number of lines of context from other places than the text around the cursor.",
    ),
    share: z.number().min(0).max(0.9).meta({
      description:
        "Share of the prompt, from 0 to 0.9, that context from other places may use where the file itself would fill the prompt.",
    }),
    similar: z
      .strictObject({
        mode: z.enum(["weighted", "plain-jaccard", "off"]).meta({
          description:
            "How snippets are compared with the text before the cursor: `weighted` counts rare words more, `plain-jaccard` counts all words equally, `off` searches for none.",
        }),
        maxSnippets: count(1, 50, "Maximum number of similar snippets, at most one from each file."),
      })
      .meta({ description: "Similar snippets from open files and files nearby." }),
    retrieval: choice("Whether snippets are retrieved from the whole workspace, too."),
    imports: choice("Whether declarations of imported names are added to the prompt."),
    recentEdits: choice("Whether recent edits are added to the prompt."),
    diagnostics: choice("Whether the editor's diagnostics are added to the prompt."),
    symbols: choice("Whether declarations that the editor's language servers know are added to the prompt."),
    gitDiff: choice("Whether uncommitted changes are added to the prompt."),
  })
  .meta({ description: "Context of prompts, besides the text before the cursor." });

const edit = z
  .strictObject({
    model: z.union([modelName.transform((name) => [name]), z.array(modelName)]).meta({
      description:
        "The chat model that carries out instructions, or several in order of preference. An empty list: the models of `model` that can chat.",
    }),
    request: requestOptions(
      'Request options for the models that carry out instructions, merged over `models["…"].request`. In a workspace\'s file it has an effect only if the workspace is trusted.',
    ),
    format: z.enum(["auto", ...formats.map(({ name }) => name)]).meta({
      description:
        "The edit format, in which the model writes its edits. `auto`: chosen by the model and the size of the files.",
    }),
    maxRetries: count(0, 10, "Maximum number of requests to correct an answer that could not be used."),
    formatter: z.enum(["auto", "off"]).meta({
      description:
        "Whether changed lines are formatted by the project's own formatter. The formatter is code of the workspace and runs only if the workspace is trusted.",
    }),
    verify: z.string().meta({
      description:
        "Verification command that `emend edit` runs after each change, such as `npm test`. If it fails, its output is sent to the model for a correction. In a workspace's file it has an effect only if the workspace is trusted.",
    }),
  })
  .meta({ description: "Edits by an instruction." });

const types = z
  .strictObject({
    maxMemoryMb: count(
      256,
      65_536,
      "Maximum memory of a type checker process, in megabytes. A process that needs more is restarted without the files that cause it, or suggestions are made without types. In a workspace's file it has an effect only if the workspace is trusted.",
    ),
  })
  .meta({ description: "Type checkers: TypeScript's, and pyright." });

/** The settings that have no effect on a model that no server has, each with what to do. */
function withoutServer(name: string, settings: object): readonly (readonly [key: string, message: string])[] {
  const { provider } = parseModelName(name).name ?? {};
  if (provider !== "builtin" && provider !== "gguf") return [];
  const counting: readonly string[] = provider === "gguf" ? ["template", "contextTokens", "price"] : [];
  const instead =
    counting.length === 0 ? "" : ` Of these settings ${counting.map((key) => `\`${key}\``).join(", ")} count.`;
  const message = `It has no effect, since \`${provider}\` is not a server: no request is sent. Take it out.${instead}`;
  return Object.keys(settings).flatMap((key) => (counting.includes(key) ? [] : [[key, message] as const]));
}

/** All settings, complete. Sections are strict: a key that is not here is a mistake. */
export const settingsSchema = z.strictObject({
  model: z.union([modelName.transform((name) => [name]), z.array(modelName).min(1)]).meta({
    description:
      "The model that completes code, such as `ollama:qwen2.5-coder:1.5b` or `builtin`, or several in order of preference. Each request uses the first one that supports it.",
  }),
  models: z
    .record(z.string(), modelSettings)
    .meta({ description: "Settings of single models, by the names that `model` has." })
    .superRefine((models, context) => {
      for (const [name, settings] of Object.entries(models)) {
        const message = tryModelKeyIssue(name);
        if (message !== undefined) context.addIssue({ code: "custom", path: [name], message });
        for (const [key, problem] of withoutServer(name, settings))
          context.addIssue({ code: "custom", path: [name, key], message: problem });
      }
    }),
  complete,
  next,
  context,
  edit,
  types,
  trust: z
    .array(
      z
        .string()
        .min(1)
        .superRefine((folder, context) => {
          const message = tryTrustIssue(folder);
          if (message !== undefined) context.addIssue({ code: "custom", message });
        }),
    )
    .meta({
      description:
        "Trusted folders: workspaces in them, at any depth, may run code and name model servers. Only in your own file.",
    }),
});

/** All settings, complete and checked. */
export type Config = z.output<typeof settingsSchema>;

/** Settings as a person writes them: everything may be left out. */
export type ConfigInput = DeepPartial<z.input<typeof settingsSchema>>;

export type DeepPartial<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Key in keyof Value]?: DeepPartial<Value[Key]> }
    : Value;
