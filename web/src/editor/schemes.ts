import { monaco } from "./monaco.ts";

/** Colours of code, each with a contrast of at least 4.5 to the background. */
const light = {
  ground: "#ffffff",
  text: "#17212b",
  dim: "#5c6975",
  keyword: "#8a2f6b",
  name: "#0b6e6e",
  string: "#7a4a00",
  number: "#1f5fb0",
  line: "#dde3e9",
  lineNumber: "#6c7884",
  chosen: "#cfe8e7",
  current: "#f4f7f9",
  ghost: "#66727e",
  accent: "#0b6e6e",
  strong: "#0b6e6e",
  added: "#1a8f4a2b",
  removed: "#d0403528",
};

const dark: typeof light = {
  ground: "#161c24",
  text: "#e3e9ef",
  dim: "#8f9dab",
  keyword: "#e394c4",
  name: "#6fd3ca",
  string: "#e9bd78",
  number: "#93bdf5",
  line: "#2a343f",
  lineNumber: "#8592a0",
  chosen: "#1f4a4c",
  current: "#1b222b",
  ghost: "#8f9dab",
  accent: "#5ed3c8",
  strong: "#0f7a78",
  added: "#4fc27a33",
  removed: "#ff6b6033",
};

/** Defines the editor themes `emend-light` and `emend-dark`, which match the page. */
export function defineEditorSchemes(): void {
  define("emend-light", "vs", light);
  define("emend-dark", "vs-dark", dark);
}

function define(name: string, base: "vs" | "vs-dark", colours: typeof light): void {
  const rule = (token: string, colour: string, fontStyle = "") => ({ token, foreground: colour.slice(1), fontStyle });
  monaco.editor.defineTheme(name, {
    ...{ base, inherit: true },
    rules: [
      rule("", colours.text),
      rule("comment", colours.dim, "italic"),
      rule("keyword", colours.keyword),
      rule("string", colours.string),
      rule("string.escape", colours.number),
      rule("number", colours.number),
      rule("type", colours.name),
      rule("type.identifier", colours.name),
      rule("tag", colours.keyword),
      rule("attribute.name", colours.name),
      rule("attribute.value", colours.string),
      rule("delimiter", colours.text),
      rule("regexp", colours.string),
      rule("annotation", colours.dim),
    ],
    colors: {
      "editor.background": colours.ground,
      "editor.foreground": colours.text,
      "editorLineNumber.foreground": colours.lineNumber,
      "editorLineNumber.activeForeground": colours.text,
      "editor.selectionBackground": colours.chosen,
      "editor.lineHighlightBackground": colours.current,
      "editor.lineHighlightBorder": "#00000000",
      "editorCursor.foreground": colours.accent,
      "editorGhostText.foreground": colours.ghost,
      "editorIndentGuide.background1": colours.line,
      "editorWidget.background": colours.ground,
      "editorWidget.border": colours.line,
      "editorWidget.foreground": colours.text,
      "quickInput.background": colours.ground,
      "quickInput.foreground": colours.text,
      "quickInputList.focusBackground": colours.chosen,
      "quickInputList.focusForeground": colours.text,
      "list.focusHighlightForeground": colours.accent,
      "list.highlightForeground": colours.accent,
      "list.hoverBackground": colours.current,
      "input.background": colours.ground,
      "input.foreground": colours.text,
      "input.border": colours.lineNumber,
      "pickerGroup.foreground": colours.dim,
      "keybindingLabel.foreground": colours.text,
      ...Object.fromEntries(
        [1, 2, 3, 4, 5, 6].map((depth) => [`editorBracketHighlight.foreground${depth}`, colours.text]),
      ),
      focusBorder: colours.accent,
      "inlineEdit.originalBackground": colours.removed,
      "inlineEdit.modifiedBackground": colours.added,
      "inlineEdit.originalChangedTextBackground": colours.removed,
      "inlineEdit.modifiedChangedTextBackground": colours.added,
      "inlineEdit.originalBorder": colours.line,
      "inlineEdit.modifiedBorder": colours.accent,
      "inlineEdit.gutterIndicator.primaryBackground": colours.strong,
      "inlineEdit.gutterIndicator.primaryBorder": colours.strong,
      "inlineEdit.gutterIndicator.primaryForeground": "#ffffff",
      "inlineEdit.gutterIndicator.successfulBackground": colours.strong,
      "inlineEdit.gutterIndicator.successfulBorder": colours.strong,
      "inlineEdit.gutterIndicator.successfulForeground": "#ffffff",
      "inlineEdit.gutterIndicator.secondaryBackground": colours.chosen,
      "inlineEdit.gutterIndicator.secondaryBorder": colours.accent,
      "inlineEdit.gutterIndicator.secondaryForeground": colours.text,
      "inlineEdit.tabWillAcceptModifiedBorder": colours.accent,
      "diffEditor.insertedTextBackground": colours.added,
      "diffEditor.removedTextBackground": colours.removed,
    },
  });
}
