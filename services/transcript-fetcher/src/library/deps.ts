import type { Deps } from '../deps.ts';
import type { QueryReader } from './domain/query-reader.ts';
import type { Searches } from './search-library.ts';
import type { SplitCues } from './split-cues.ts';
import type { Stemmer } from './stemmer.ts';

export type LibraryDeps = Deps & {
  readonly splitCues: SplitCues;
  readonly stemmer: Stemmer;
  readonly readQuery: QueryReader;
  /** Runs searches in libraries, one of an account at a time. */
  readonly searches: Searches;
};
