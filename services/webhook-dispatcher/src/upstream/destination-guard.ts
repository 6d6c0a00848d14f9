import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import {
  addressIn,
  DestinationError,
  type DestinationRules,
  isLocalReceiver,
  isPublicAddress,
  readDestination,
} from '../domain/destination.ts';

/** Twice this, and what the rest of an attempt takes, has room in its 10 s. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** The name server has answered: the name has none. */
const nothingThere = new Set(['ENODATA', 'ENOTFOUND']);

/** All addresses of a name; throws `DestinationError` where there is none. */
type ResolveHost = (name: string) => Promise<readonly string[]>;

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

/** The one judge of where webhooks may go, when they are configured and whenever a connection is made. */
export type DestinationGuard = {
  /** What the text tells. Throws `DestinationError`. */
  read(text: string): URL;
  /** What the text and the name servers tell. Throws `DestinationError`. */
  check(text: string): Promise<URL>;
  /** For the connection: the addresses that were checked are those that it connects to. */
  readonly lookup: LookupFunction;
};

const localAddresses: readonly string[] = ['127.0.0.1'];

export const createDestinationGuard = (rules: DestinationRules, resolve: ResolveHost): DestinationGuard => {
  const addressesOf = async (name: string): Promise<readonly string[]> => {
    if (rules.takesLocalReceivers && name === 'localhost') return localAddresses;
    const addresses = await resolve(name);
    // One private address among public ones is an attempt to get in.
    if (!addresses.every(isPublicAddress)) throw new DestinationError('private');
    return addresses;
  };
  const read = (text: string) => readDestination(text, rules);
  return {
    read,
    async check(text) {
      const url = read(text);
      const isKnown = addressIn(url.hostname) !== null || (rules.takesLocalReceivers && isLocalReceiver(url));
      if (!isKnown) await addressesOf(url.hostname);
      return url;
    },
    lookup: (name, { all }, done) => {
      const answer = (addresses: readonly string[]) => {
        const found = addresses.map(
          (address): LookupAddress => ({ address, family: isIPv6(address) ? 6 : 4 }),
        );
        const [first] = found;
        if (all) done(null, found);
        else done(null, first?.address ?? '', first?.family);
      };
      addressesOf(name).then(answer, (error) => done(error, all ? [] : ''));
    },
  };
};
