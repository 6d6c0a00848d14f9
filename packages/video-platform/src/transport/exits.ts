import type { Exit } from '../types.ts';

export const directExit: readonly Exit[] = [{ name: 'direct' }];

/** Own source addresses and proxies as exits; the direct one if there are none. */
export const toExits = ({ sourceAddresses, proxyUrls }: ExitAddresses): readonly Exit[] => {
  const exits = [
    ...sourceAddresses.map((sourceAddress, index) => ({ name: `source-${index + 1}`, sourceAddress })),
    ...proxyUrls.map((proxyUrl, index) => ({ name: `proxy-${index + 1}`, proxyUrl })),
  ];
  return exits.length === 0 ? directExit : exits;
};

type ExitAddresses = { readonly sourceAddresses: readonly string[]; readonly proxyUrls: readonly string[] };
