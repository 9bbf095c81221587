/** A relation for people; of several, the first and the number of others: `called by +2`. */
export function printRelation(relation: string): string {
  const [first = "", ...others] = relation.split(", ");
  return `${first.replaceAll("-", " ")}${others.length === 0 ? "" : ` +${others.length}`}`;
}
