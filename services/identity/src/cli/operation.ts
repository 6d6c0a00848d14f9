import type { CoreDeps } from '../deps.ts';

/** What an operator may do: takes the words of the command line, resolves to the sentence to show, throws why not. */
export type Operation = (deps: CoreDeps, words: readonly string[], requestId: string) => Promise<string>;
