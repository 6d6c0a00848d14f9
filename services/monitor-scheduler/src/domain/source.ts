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

/** How far the list of a source is read, whose feed shows the first 15 of it. Columns of its feed. */
export type Walk = {
  /** Every video that it held when it was first read is known, and every one that came since: what is unknown is new. */
  readonly knows_list: boolean;
  /** So many looks before it is read on; null where nobody has to. */
  readonly list_in: number | null;
  /** Where it is read on; null at its beginning. */
  readonly list_token: string | null;
  /** Pages that were read of it, this time or the last. */
  readonly list_pages: number;
};

const nowhere = { list_in: null, list_token: null, list_pages: 0 } as const;

/** Nothing is left to read. */
export const atRest = (knowsList: boolean): Walk => ({ ...nowhere, knows_list: knowsList });

/** A channel of which more was uploaded than its feed shows, while the list is read for it. */
export const hasOpenGap = ({ kind, list_in }: { kind: Source['kind'] } & Pick<Walk, 'list_in'>): boolean =>
  kind === 'channel' && list_in !== null;

/** A playlist is read whole after as many looks as it has pages: one page a look, on average, however long it is. */
export const afterWholeList = (pages: number): Walk => ({
  ...{ knows_list: true, list_in: Math.max(pages, 1) - 1, list_token: null, list_pages: pages },
});
