/**
 * Names that a new text of a block probably wants imported: it says them, the file did not, the plan's texts do, and it does not declare
 * them itself. Names of members and of properties are none.
 *
 * By words alone: what is too many costs a question, what is missing the oracle finds.
 */
export function neededNames(texts: {
  readonly fileBefore: string;
  readonly newText: string;
  /** What the model was told. */
  readonly told: readonly string[];
}): readonly string[] {
  const { fileBefore, newText, told } = texts;
  const known = wordsOf(fileBefore);
  const heard = new Set(told.flatMap((text) => [...wordsOf(text)]));
  const code = withoutStrings(newText);
  const names = new Set<string>();
  for (const { 0: name, index } of code.matchAll(word)) {
    const before = code.slice(0, index).trimEnd();
    const after = code.slice(index + name.length).trimStart();
    const isMember = /(?:(?<!\.)\.|#)$/.test(before);
    const isKey = after.startsWith(":") && /[{,]$/.test(before);
    if (!known.has(name) && heard.has(name) && !isMember && !isKey && !isDeclared(code, name)) names.add(name);
  }
  return [...names];
}

const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(word) ?? []);
}

function withoutStrings(code: string): string {
  return code.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*|#\s.*/g, (found) => " ".repeat(found.length));
}

/** Whether a text makes a name itself: as a variable, a parameter, a function, or a target. */
function isDeclared(code: string, name: string): boolean {
  const own = name.replaceAll("$", "\\$");
  const declarations = [
    `\\b(?:const|let|var|function|class|interface|type|enum|def|for|as)\\s+${own}(?![\\w$])`,
    `\\b(?:const|let|var)\\s*[{[][^=]*(?<![\\w$])${own}(?![\\w$])[^=]*=`,
    `(?<![\\w$.])${own}\\s*=(?![=>])`,
    `[(,]\\s*${own}\\s*(?=[:,)=?])[^()]*\\)\\s*(?::[^{;]*)?(?:=>|\\{|:\\s*$)`,
    `(?<![\\w$.])${own}\\s*=>`,
  ];
  return declarations.some((pattern) => new RegExp(pattern, "m").test(code));
}
