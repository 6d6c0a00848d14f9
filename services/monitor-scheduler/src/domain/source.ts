import type { ListingContents } from '@tds/contracts';
import { CHANNEL_LISTS, parsePlatformAddress } from '@tds/platform-addresses';

/** What a monitor watches. */
export type Source = { readonly kind: 'channel' | 'playlist'; readonly id: string };

/** The platform's list of all videos of a source: a channel's uploads, or the playlist itself. */
export const playlistToRead = ({ kind, id }: Source): string => (kind === 'channel' ? `UU${id.slice(2)}` : id);

/** A channel, or the list of one of its tabs. */
export const channelSource = (channelId: string, contents: ListingContents = 'all'): Source =>
  contents === 'all'
    ? { kind: 'channel', id: channelId }
    : { kind: 'playlist', id: `${CHANNEL_LISTS[contents]}${channelId.slice(2)}` };

/** The inverse: what of a channel this source is. */
export const contentsOf = (playlistId: string | null): ListingContents => {
  const [, prefix] = /^(UU..)[\w-]{22}$/.exec(playlistId ?? '') ?? [];
  const names = Object.keys(CHANNEL_LISTS) as (keyof typeof CHANNEL_LISTS)[];
  return names.find((name) => CHANNEL_LISTS[name] === prefix) ?? 'all';
};

const bareId = /^[\w-]{2,100}$/;

/** Parses the id or the URL of a playlist; null if it is neither. */
export const readPlaylist = (input: string): Source | null => {
  const text = input.trim();
  const address = parsePlatformAddress(text);
  if (address?.kind === 'playlist') return { kind: 'playlist', id: address.id };
  return bareId.test(text) && address?.kind !== 'channel' ? { kind: 'playlist', id: text } : null;
};

/** How far the list of a source has been read; the feed shows its first 15 videos only. Columns of the feed. */
export type ListProgress = {
  /** All videos of the list are known, so an unknown one is new. */
  readonly knows_list: boolean;
  /** Checks until the list is read on; null if there is nothing to read. */
  readonly list_in: number | null;
  /** Page token to go on from; null at the beginning. */
  readonly list_token: string | null;
  /** Pages that this reading, or the last complete one, has read. */
  readonly list_pages: number;
};

export const nothingToRead = (knowsList: boolean): ListProgress => ({
  knows_list: knowsList,
  list_in: null,
  list_token: null,
  list_pages: 0,
});

/** A channel has a gap while its list is read for more new videos than its feed shows. */
export const hasOpenGap = ({
  kind,
  list_in,
}: { kind: Source['kind'] } & Pick<ListProgress, 'list_in'>): boolean => kind === 'channel' && list_in !== null;

/** A playlist of n pages is read whole every n checks: one page a check on average. */
export const afterWholeList = (pages: number): ListProgress => ({
  knows_list: true,
  list_in: Math.max(pages, 1) - 1,
  list_token: null,
  list_pages: pages,
});
