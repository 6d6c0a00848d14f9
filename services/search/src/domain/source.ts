import { createHash } from 'node:crypto';
import type { ListingContents } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import { CHANNEL_LISTS, parsePlatformAddress } from '@tds/platform-addresses';

/** A channel's uploads, a playlist, or a resolved list. */
export type Source =
  | { readonly kind: 'channel' | 'playlist'; readonly id: string; readonly playlistId: string }
  | { readonly kind: 'list'; readonly id: string };

/** A channel whose id must be resolved. */
type UnresolvedSource = { readonly kind: 'channel_name'; readonly name: string };

const uploadsOf = (channelId: string): string => `UU${channelId.slice('UC'.length)}`;

export const channelSource = (id: string): Source => ({ kind: 'channel', id, playlistId: uploadsOf(id) });

/** Names the video: a page of the site that carries one, or a link copied from a playing playlist, does not look like it. */
const oneVideo = (input: string, id: string): ServiceError => {
  const list = /[?&]list=([\w-]{2,100})/.exec(input)?.[1];
  const message =
    list === undefined
      ? `This is the video ${id}. This route takes a channel, a playlist or a list; use /v1/transcript for a single video.`
      : `This link names one video of a playlist, ${id}. For the whole playlist send https://www.youtube.com/playlist?list=${list}.`;
  return serviceError('single_video', { message });
};

/** Throws `single_video`, or `bulk_input_required` if the input names no list. */
export const readSource = (input: string): Source | UnresolvedSource => {
  const address = parsePlatformAddress(input);
  switch (address?.kind) {
    case 'channel':
      return channelSource(address.id);
    case 'playlist':
      return { kind: 'playlist', id: address.id, playlistId: address.id };
    case 'list':
      return { kind: 'list', id: address.key };
    case 'channel_name':
      return address;
    case 'video':
      throw oneVideo(input, address.id);
    default:
      throw serviceError('bulk_input_required');
  }
};

const UPLOADS = /^UU([\w-]{22})$/;
const SHORTS = /^UUSH[\w-]{22}$/;

/** One list of the platform to walk. `shorts` is walked only to recognise the Shorts in `rows`. */
export type Phase = { readonly name: 'shorts' | 'rows'; readonly playlistId: string };

/** The platform's lists by prefix show which uploads are Shorts, without a request per video. */
export const listPhases = (playlistId: string, contents: ListingContents): readonly Phase[] => {
  const suffix = UPLOADS.exec(playlistId)?.[1];
  if (suffix === undefined) return [{ name: 'rows', playlistId }];
  if (contents !== 'all') return [{ name: 'rows', playlistId: CHANNEL_LISTS[contents] + suffix }];
  return [
    { name: 'shorts', playlistId: CHANNEL_LISTS.shorts + suffix },
    { name: 'rows', playlistId },
  ];
};

/** Whether a row is a Short: by its list, by the list of Shorts, or by its own mark. */
export const isShort = (
  row: { readonly id: string; readonly isShort: boolean | null },
  playlistId: string,
  shorts: ReadonlySet<string>,
): boolean => SHORTS.test(playlistId) || shorts.has(row.id) || row.isShort === true;

export const belongsTo = (contents: ListingContents, row: { readonly isShort: boolean }): boolean =>
  contents === 'all' || row.isShort === (contents === 'shorts');

const KEY_LENGTH = 22;

/** The key of a list, derived from its videos and their order. */
export const listKey = (videoIds: readonly string[]): string =>
  createHash('sha256').update(videoIds.join(',')).digest('base64url').slice(0, KEY_LENGTH);
