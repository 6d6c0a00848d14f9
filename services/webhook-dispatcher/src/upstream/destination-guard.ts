import type { LookupAddress } from 'node:dns';
import { isIPv6, type LookupFunction } from 'node:net';
import {
  DestinationError,
  type DestinationRules,
  isLocalReceiver,
  readDestination,
} from '../domain/destination.ts';
import { addressIn, isPublicAddress } from '../domain/public-address.ts';
import type { ResolveHost } from './resolve-host.ts';

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
