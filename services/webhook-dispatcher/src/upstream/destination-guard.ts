import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import {
  DestinationError,
  type DestinationRules,
  ipAddressIn,
  isLocalReceiver,
  isPublicAddress,
  readDestination,
} from '../domain/destination.ts';

/** Two tries leave enough of the 10 s of an attempt for the rest of it. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** The name server answered that the name has no addresses. */
const emptyCodes = new Set(['ENODATA', 'ENOTFOUND']);

/** Returns all addresses of a name. Throws `DestinationError` if there are none. */
type ResolveHost = (name: string) => Promise<readonly string[]>;

const codeOf = ({ reason }: PromiseRejectedResult): string => String(reason?.code);

/** Queries name servers directly: the system resolver has four threads, which one slow name server would block. */
export const createResolveHost = (server: string): ResolveHost => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (server !== 'system') resolver.setServers([server]);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failures = answers.filter((answer) => answer.status === 'rejected');
    const isEmpty = failures.every((failure) => emptyCodes.has(codeOf(failure)));
    throw new DestinationError(isEmpty ? 'dns_empty' : 'dns_failed');
  };
};

const localAddresses: readonly string[] = ['127.0.0.1'];

/** Decides where webhooks may go: when they are configured and at every connection. */
export const createDestinationGuard = (rules: DestinationRules, resolve: ResolveHost) => {
  const resolveAddresses = async (name: string): Promise<readonly string[]> => {
    if (rules.takesLocalReceivers && name === 'localhost') return localAddresses;
    const addresses = await resolve(name);
    // One private address among public ones is an attack.
    if (!addresses.every(isPublicAddress)) throw new DestinationError('private');
    return addresses;
  };
  /** Checks the text of a URL. Throws `DestinationError`. */
  const read = (text: string) => readDestination(text, rules);
  return {
    read,
    /** Checks the text and the resolved addresses. Throws `DestinationError`. */
    async check(text: string): Promise<URL> {
      const url = read(text);
      const isKnown = ipAddressIn(url.hostname) !== null || (rules.takesLocalReceivers && isLocalReceiver(url));
      if (!isKnown) await resolveAddresses(url.hostname);
      return url;
    },
    /** Lookup for connections: they connect to the addresses that were checked. */
    lookup: ((name, { all }, done) => {
      const answer = (addresses: readonly string[]) => {
        const entries = addresses.map(
          (address): LookupAddress => ({ address, family: isIPv6(address) ? 6 : 4 }),
        );
        const [first] = entries;
        if (all) done(null, entries);
        else done(null, first?.address ?? '', first?.family);
      };
      resolveAddresses(name).then(answer, (error) => done(error, all ? [] : ''));
    }) satisfies LookupFunction,
  };
};
export type DestinationGuard = ReturnType<typeof createDestinationGuard>;
