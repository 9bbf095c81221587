/** TypeScript's complaints that there is no such member. */
export const lostMember: ReadonlySet<string> = new Set(["2339", "2551"]);
