/** The version in the description of the API. Every path of it begins with /v1. */
export const API_VERSION = '1.0.0';

export type ApiChange = {
  /** A UTC day, YYYY-MM-DD; no two changes have the same. */
  readonly date: string;
  readonly title: string;
  readonly text: string;
};

/** What callers have to know of, the newest first. */
export const apiChanges: readonly ApiChange[] = [
  {
    date: '2026-09-05',
    title: 'Method handling',
    text: 'A known path answers 405 with Allow to other methods, and 204 to OPTIONS. docs_url leads to the section of the error class. Answers are no-store unless they say otherwise. The ledger and the account have their aliases. Unknown resource and action values answer 400.',
  },
  {
    date: '2026-09-04',
    title: 'The v1 surface',
    text: 'Accounts, keys, transcripts, facts, listing, resolve, bulk jobs and archives.',
  },
];
