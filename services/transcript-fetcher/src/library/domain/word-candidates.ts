import type { Term } from './library-query.ts';
import type { LexemesOf } from './library-words.ts';

/** The positions of the passages of a transcript that have a lexeme. */
export type PassagesOf = ReadonlyMap<string, ReadonlySet<number>>;

/** From the lexemes of each passage, in their order. */
export const toPassagesOf = (
  passages: readonly { readonly position: number; readonly lexemes: string }[],
): PassagesOf => {
  const passagesOf = new Map<string, Set<number>>();
  for (const { position, lexemes } of passages)
    for (const lexeme of lexemes.split(' ')) {
      const known = passagesOf.get(lexeme);
      if (known) known.add(position);
      else passagesOf.set(lexeme, new Set([position]));
    }
  return passagesOf;
};

/** The passages that have each word that a query needs: no others can match. Of most queries the first word is missing. */
export const findCandidates = (
  terms: readonly Term[],
  lexemesOf: LexemesOf,
  passagesOf: PassagesOf,
): readonly number[] => {
  let candidates: readonly number[] | null = null;
  for (const { tokens } of terms.filter(({ isExcluded }) => !isExcluded))
    for (const token of tokens) {
      const passages = lexemesOf(token).flatMap((lexeme) => passagesOf.get(lexeme) ?? []);
      if (passages.length === 0) return [];
      candidates =
        candidates === null
          ? [...new Set(passages.flatMap((positions) => [...positions]))]
          : candidates.filter((position) => passages.some((positions) => positions.has(position)));
    }
  return candidates ?? [];
};
