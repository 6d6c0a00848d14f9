import type { Term } from './library-query.ts';
import type { LexemesOf } from './library-words.ts';

/** The positions of the passages of a transcript that have a lexeme. */
type PassagesOf = ReadonlyMap<string, ReadonlySet<number>>;

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

/** The passages that may match a query, and how many words it takes to find out: here, and in SQL. */
type Candidates = { readonly positions: readonly number[]; readonly cost: number };

/** Three words of every passage that an index may have. Who says more words in all passages is not found in the last ones. */
const MAX_COST = 32_000;

/** The first passages that have each word that a query needs: no others can match. Of most queries a word is missing. */
export const findCandidates = (
  terms: readonly Term[],
  lexemesOf: LexemesOf,
  passagesOf: PassagesOf,
): Candidates => {
  const needed = terms.filter(({ isExcluded }) => !isExcluded).flatMap(({ tokens }) => tokens);
  const passages = needed.map((token) => lexemesOf(token).flatMap((lexeme) => passagesOf.get(lexeme) ?? []));
  const sizeOf = (sets: readonly ReadonlySet<number>[]) => sets.reduce((sum, { size }) => sum + size, 0);
  const [rarest = [], ...others] = passages.sort((a, b) => sizeOf(a) - sizeOf(b));
  const words = terms.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const positions: number[] = [];
  let cost = 0;
  for (const position of [...new Set(rarest.flatMap((set) => [...set]))].sort((a, b) => a - b)) {
    if (cost >= MAX_COST) break;
    const missing = others.findIndex((sets) => !sets.some((set) => set.has(position)));
    cost += missing < 0 ? others.length + words : missing + 1;
    if (missing < 0) positions.push(position);
  }
  return { positions, cost };
};
