import { counted, number } from '../words.ts';
import { Refusal } from './send.ts';

/** The fields of words in a form: one query a line. */
export const toQueries = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** The query that an error of the API names; null if it names none. */
export const invalidLine = (error: unknown, queries: readonly string[]): string | null => {
  if (!(error instanceof Refusal) || error.body.code !== 'invalid_words') return null;
  const [, place, number] = /words\[(\d+)\]|Query (\d+)/.exec(error.body.message) ?? [];
  return queries[place === undefined ? Number(number) - 1 : Number(place)] ?? null;
};

type Trial = { readonly transcripts: number; readonly matches: readonly unknown[] };

/** What trying words on received transcripts has shown; `ofSource` says whether these are of the source, or of the whole library. */
export const trialSentence = ({ transcripts, matches }: Trial, ofSource: boolean): string => {
  const source = ofSource ? 'of this source' : 'of your library';
  if (transcripts === 0)
    return `You have received no transcript ${source} yet, so there is none to try the words in.`;
  const newest = transcripts === 1 ? 'newest transcript' : `last ${number(transcripts)} transcripts`;
  return `In the ${newest} ${source}: ${counted(matches.length, 'match', 'matches')}.`;
};
