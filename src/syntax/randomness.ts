/**
 * The number of neighbours of different kinds: upper case, lower case, digit. `Ab` counts as the
 * beginning of a word.
 */
export function switchesOf(value: string): number {
  let switches = 0;
  let before = "";
  for (const char of value) {
    const kind =
      char >= "0" && char <= "9" ? "0" : char >= "a" && char <= "z" ? "a" : char >= "A" && char <= "Z" ? "A" : "-";
    if (before !== "" && kind !== before && !(before === "A" && kind === "a") && kind !== "-" && before !== "-")
      switches += 1;
    before = kind;
  }
  return switches;
}

/** The Shannon entropy of the characters, in bits per character. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
