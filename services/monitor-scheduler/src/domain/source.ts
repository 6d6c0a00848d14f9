import { parsePlatformAddress } from '@tds/contracts';

/** What is watched. */
export type Source = { readonly kind: 'channel' | 'playlist'; readonly id: string };

/** Where the platform lists all of it: a channel's uploads, or the playlist itself. */
export const listOf = ({ kind, id }: Source): string => (kind === 'channel' ? `UU${id.slice(2)}` : id);

const bareId = /^[\w-]{2,100}$/;

/** The playlist that an id or an address names; null where it names none. */
export const readPlaylist = (given: string): Source | null => {
  const text = given.trim();
  const address = parsePlatformAddress(text);
  if (address?.kind === 'playlist') return { kind: 'playlist', id: address.id };
  return bareId.test(text) && address?.kind !== 'channel' ? { kind: 'playlist', id: text } : null;
};
