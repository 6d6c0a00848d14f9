/** What the checker says is off: one sentence per breach, with enough to look it up. */
export type Finding = {
  /** The promise that was broken, as in docs/reliability.md. */
  readonly invariant: string;
  /** An account, an operation, a message, a file ... */
  readonly subject: string;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
};

export const sayFinding = ({ invariant, subject, what, expected, found }: Finding): string =>
  `${invariant}  ${what}: expected ${expected}, found ${found}  (${subject})`;

const keyOf = (finding: object): string => JSON.stringify(finding);

/** Those that both looks have found: what was under way in between is no breach. */
export const inBoth = <Found extends object>(first: readonly Found[], second: readonly Found[]): Found[] => {
  const seen = new Set(first.map(keyOf));
  return second.filter((finding) => seen.has(keyOf(finding)));
};
