import { z } from "zod";
import { formats } from "../../formats/index.ts";
import { parseModelName } from "../../model/index.ts";
import { defaultNextEditSettings, nextEditFormats } from "../../next/index.ts";
import {
  tryFileTypeIssue,
  tryFolderIssue,
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

const template = z
  .strictObject({
    name: z.string().min(1),
    models: z.string().default(""),
    fill: z.string().min(1),
    repository: z.strictObject({ each: z.string().min(1), fill: z.string().min(1) }).exactOptional(),
    stops: z.array(z.string().min(1)),
    specialTokens: z.array(z.string().min(1)),
  })
  .meta({ description: "A fill-in-the-middle template of one's own, with the slots {prefix} and {suffix}." });

const modelSettings = z
  .strictObject({
    template: z
      .union([z.string().min(1), template])
      .exactOptional()
      .meta({
        description:
          "The fill-in-the-middle template: the name of a known one, or one's own. Without it the server builds the prompt.",
      }),
    fillBy: z
      .enum(["completion", "chat"])
      .exactOptional()
      .meta({ description: "Who marks the hole: the server or the template, or an instruction to the chat." }),
    contextTokens: count(256, 10_000_000, "The most tokens of a prompt and its answer together.").exactOptional(),
    maxStops: count(0, 1000, "The most stop strings in one request.").exactOptional(),
    headers: z
      .record(z.string(), z.string())
      .exactOptional()
      .meta({ description: `Sent with every request; a value may hold \${NAME} for an environment variable.` }),
    firstByteMs: count(
      1,
      3_600_000,
      "How long to wait for the first byte of an answer, in milliseconds.",
    ).exactOptional(),
    idleMs: count(1, 3_600_000, "How long to wait between two pieces of an answer, in milliseconds.").exactOptional(),
    totalMs: count(
      1,
      86_400_000,
      "How long a request may take to the end of its answer, repetitions included, in milliseconds; 600,000 unless set.",
    ).exactOptional(),
    retries: count(0, 10, "How often a request is sent again where that is safe.").exactOptional(),
    probabilities: choice("Whether the server is asked how likely its tokens are.").exactOptional(),
    price: z
      .strictObject({
        input: z.number().min(0).meta({
          description:
            "What a million tokens cost that the model is shown, in a currency of your own: what `emend plan --max-cost` reckons with. In a workspace's file it counts only where that is trusted.",
        }),
        output: z.number().min(0).meta({ description: "What a million tokens cost that it writes." }),
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
    "On or off by the ending of the file's name, such as `.md`, or a glob, such as `*.test.*`; counts more than the language.",
    tryFileTypeIssue,
  );

const folderSwitches = () =>
  switches(
    "On or off by folder from the workspace's root, such as `docs/old`, or a glob, such as `packages/*/src`; counts more than the file type.",
    tryFolderIssue,
  );

const complete = z
  .strictObject({
    enabled: choice("Whether ghost text comes by itself at all."),
    languages: languageSwitches(
      "Ghost text on or off by the language's id, which may be one that only the editor knows; `*` stands for those not named.",
    ),
    fileTypes: fileTypeSwitches(),
    folders: folderSwitches(),
    comments: choice("Whether it comes by itself inside comments."),
    strings: choice("Whether it comes by itself inside strings."),
    eagerness: z
      .enum(["quiet", "normal", "eager"])
      .meta({ description: "How sure it must be that ghost text is welcome before it comes by itself." }),
    maxLines: count(1, 200, "The most lines of one suggestion."),
    maxLineCharacters: count(
      20,
      100_000,
      "The most characters of a line that a model writes: a wider one is not waited for.",
    ),
    maxDocumentCharacters: count(
      1000,
      100_000_000,
      "The most characters of a document that is completed; also of one where it is asked for by key.",
    ),
    multiLine: z
      .enum(["auto", "never"])
      .meta({ description: "Several lines where the syntax of the place asks for them, or never." }),
    debounceMs: z.union([z.literal("auto"), z.int().min(0).max(10_000)]).meta({
      description: "How long to wait for the next key, in milliseconds; `auto` waits less the more welcome it is.",
    }),
    timeoutMs: count(100, 600_000, "How long a model may take for one suggestion, in milliseconds."),
    ahead: choice("Whether what follows a suggestion is asked for while that one is shown."),
    guide: z.enum(["auto", "off", "always"]).meta({
      description:
        "Whether the language's grammar holds models to it as they write; `always` also cuts what others write.",
    }),
    members: z.enum(["on", "off"]).meta({
      description: "Whether names behind a dot in TypeScript and JavaScript are held to the members that types have.",
    }),
    nextEdits: choice(
      "Whether a next edit that only adds behind the cursor comes as ghost text where there is no other.",
    ),
  })
  .meta({ description: "Ghost text." });

const nextContext = z
  .strictObject({
    linesAbove: z.union([z.literal("up-to-text"), z.int().min(0).max(1000)]).meta({
      description:
        "Lines above the cursor's that a model may rewrite; `up-to-text`: up to the next line that is not blank, from the cursor's own on, as some models were trained.",
    }),
    linesBelow: count(0, 1000, "Lines below the cursor's that it may rewrite."),
    moreLinesBelow: count(
      0,
      1000,
      "So many more below when it is asked again because it proposed nothing; with 0 it is not asked again.",
    ),
    windowTokens: count(50, 1_000_000, "The most tokens of the lines that it may rewrite."),
    areaLines: count(
      0,
      1000,
      "Lines above these, and below them, that formats with an area around the cursor show there.",
    ),
    pageLines: count(
      1,
      1000,
      "What is shown of the file begins and ends with a multiple of so many lines, so that it stays the same while the cursor moves a little.",
    ),
    pageTokens: count(0, 1_000_000, "The most tokens of what is shown of the file around the cursor."),
    historyEdits: count(0, 25, "The most of your last edits."),
    historyTokens: count(0, 1_000_000, "The most tokens of your last edits."),
    viewedSnippets: count(0, 50, "The most files that you looked at last, each around the place where you were in it."),
    viewedTokens: count(0, 1_000_000, "The most tokens of these files, an even share for each."),
    diagnostics: count(0, 100, "The most errors and warnings near the cursor."),
  })
  .meta({ description: "What a model for next edits is shown; one with less room is shown less." });

const next = z
  .strictObject({
    enabled: choice("Whether next edits come by themselves at all."),
    languages: languageSwitches(
      "Next edits on or off by the language's id, which may be one that only the editor knows; `*` stands for those not named.",
    ),
    fileTypes: fileTypeSwitches(),
    folders: folderSwitches(),
    eagerness: z.enum(["quiet", "normal", "eager"]).meta({
      description: "How likely an edit must be before it is suggested by itself.",
    }),
    leastLikelihood: z.number().min(0).max(1).meta({
      description:
        "How likely an edit must be, from 0 to 1, before it is suggested to whoever asks for one, where nothing likelier is known.",
    }),
    origins: z.array(z.enum(defaultNextEditSettings.origins)).meta({
      description:
        "Who suggests: rewrites learnt from your last edits, names that you changed, errors that came, declarations that changed, and a model, if there is one.",
    }),
    model: z.union([modelName.transform((name) => [name]), z.array(modelName)]).meta({
      description:
        "Who is asked where nothing follows from your edits, or several in order of preference. An empty list asks nobody.",
    }),
    format: z.enum(["auto", ...nextEditFormats.map(({ name }) => name)]).meta({
      description: "How that model is asked; `auto` goes by what it is known to be trained for.",
    }),
    context: nextContext,
    debounceMs: count(
      0,
      10_000,
      "How long to wait for the next key before a model is asked, in milliseconds. What follows from your edits does not wait.",
    ),
    afterRejectionMs: count(
      0,
      600_000,
      "How long nothing is suggested by itself after you rejected something, in milliseconds.",
    ),
    timeoutMs: count(100, 600_000, "How long a model may take for its first edit, in milliseconds."),
    typesMs: count(
      0,
      60_000,
      "How long a type checker is waited for, in milliseconds, before an edit is suggested that it has not judged.",
    ),
    maxLines: count(1, 1000, "The most lines of one edit, before or after."),
    maxDocumentCharacters: count(1000, 100_000_000, "The most characters of a document in which edits are suggested."),
    whiteSpace: choice("Whether edits of blanks alone are suggested."),
    imports: choice("Whether edits of imports alone are suggested."),
    recordTo: z.string().meta({
      description:
        "A file, from the workspace's root or absolute, to which the language server records the session: your edits and what was suggested. Nothing is recorded where it is empty. In a workspace's file it counts only where that is trusted.",
    }),
  })
  .meta({ description: "Next edits." });

const context = z
  .strictObject({
    maxTokens: count(256, 1_000_000, "The most tokens of a prompt; a model with less room gets less."),
    suffixShare: z.number().min(0).max(0.9).meta({
      description:
        "The share of the prompt kept for the text after the cursor; what it does not need goes to the rest.",
    }),
    maxLines: count(0, 100_000, "The most lines of other places."),
    share: z.number().min(0).max(0.9).meta({
      description: "The share of the prompt that other places may take where the file itself needs all of it.",
    }),
    similar: z
      .strictObject({
        mode: z
          .enum(["weighted", "plain-jaccard", "off"])
          .meta({ description: "How files are searched for text like that before the cursor." }),
        maxSnippets: count(1, 50, "The most similar snippets, one a file."),
      })
      .meta({ description: "Similar snippets of open and near files." }),
    retrieval: choice("Whether the whole workspace is searched too."),
    imports: choice("Whether the declarations of imported names are shown."),
    recentEdits: choice("Whether the latest edits are shown."),
    diagnostics: choice("Whether the editor's diagnostics are shown."),
    symbols: choice("Whether declarations that the editor knows are shown."),
    gitDiff: choice("Whether changes that are not committed yet are shown."),
  })
  .meta({ description: "What a model is shown besides the text before the cursor." });

const edit = z
  .strictObject({
    model: z.union([modelName.transform((name) => [name]), z.array(modelName)]).meta({
      description:
        "Who carries out instructions: a model that chats, or several in order of preference. An empty list stands for those of `model` that can.",
    }),
    format: z
      .enum(["auto", ...formats.map(({ name }) => name)])
      .meta({ description: "How a model writes its edits; `auto` chooses by model and files." }),
    maxRetries: count(0, 10, "How often a model may be asked to mend its answer."),
    formatter: z.enum(["auto", "off"]).meta({
      description:
        "Whether changed lines are formatted by the project's own formatter, which is code of the workspace and runs only where that is trusted.",
    }),
    check: z.string().meta({
      description:
        "A command that judges each change in `emend edit`, such as `npm test`; what it prints goes back to the model. In a workspace's file it counts only where that is trusted.",
    }),
  })
  .meta({ description: "Edits by an instruction." });

const types = z
  .strictObject({
    maxMemoryMb: count(
      256,
      65_536,
      "The most megabytes of memory of a type checker's process. One that needs more is started again without the files that cause it, or the answer comes without types. In a workspace's file it counts only where that is trusted.",
    ),
  })
  .meta({ description: "Type checkers: TypeScript's own, and pyright." });

/** All settings, complete. Sections are strict: a key that is not here is a mistake. */
export const settingsSchema = z.strictObject({
  model: z
    .union([modelName.transform((name) => [name]), z.array(modelName).min(1)])
    .meta({ description: "The model, or several in order of preference: the first that can does the work." }),
  models: z
    .record(z.string(), modelSettings)
    .meta({ description: "Settings by the model's name, as in `model`." })
    .superRefine((models, context) => {
      for (const name of Object.keys(models)) {
        const message = tryModelKeyIssue(name);
        if (message !== undefined) context.addIssue({ code: "custom", path: [name], message });
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
      description: "Folders whose configuration may run code, with all below them. Only in the user's own file.",
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
