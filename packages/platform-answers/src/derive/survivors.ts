import type { Answers } from '../answers.ts';
import { type Derived, originalTokens } from './derive-all.ts';
import { leavesOf } from './json.ts';
import { LEAST_LENGTH, tokensOf } from './tokens.ts';
import { vocabulary } from './vocabulary.ts';

/** Counts, sizes and times. */
const NUMBER = /^\d+$/;

const valuesOf = (text: string): readonly string[] =>
  text.startsWith('{') ? leavesOf(JSON.parse(text)) : [text];

/** Words, names and ids of the recorded answers that stand in derived ones too, and that are no words of the protocol. */
export const survivors = (recorded: Answers, derived: readonly Derived[]): readonly string[] => {
  const originals = originalTokens(recorded);
  const tokens = derived.flatMap(({ text }) => valuesOf(text)).flatMap(tokensOf);
  const suspects = tokens.filter((token) => token.length >= LEAST_LENGTH && originals.has(token));
  return [...new Set(suspects)].filter((token) => !NUMBER.test(token) && !vocabulary.has(token)).toSorted();
};
