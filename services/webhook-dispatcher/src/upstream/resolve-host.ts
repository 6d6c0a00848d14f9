import { Resolver } from 'node:dns/promises';
import { DestinationError } from '../domain/destination.ts';

/** Twice this, and what the rest of an attempt takes, has room in its 10 s. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** The name server has answered: the name has none. */
const nothingThere = new Set(['ENODATA', 'ENOTFOUND']);

/** All addresses of a name; throws `DestinationError` where there is none. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

const codeOf = ({ reason }: PromiseRejectedResult): string => String(reason?.code);

/** Asks name servers itself: the system's own look-ups share four threads, which one slow name server would hold. */
export const createResolveHost = (server: string): ResolveHost => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (server !== 'system') resolver.setServers([server]);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failures = answers.filter((answer) => answer.status === 'rejected');
    const isEmpty = failures.every((failure) => nothingThere.has(codeOf(failure)));
    throw new DestinationError(isEmpty ? 'dns_empty' : 'dns_failed');
  };
};
