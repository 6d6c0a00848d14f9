import { createHash } from 'node:crypto';
import { type ListingContents, parsePlatformAddress, type ServiceError, serviceError } from '@tds/contracts';

/** What is listed: a channel's uploads, a playlist, or a resolved list. */
export type Source =
  | { readonly kind: 'channel' | 'playlist'; readonly id: string; readonly playlistId: string }
  | { readonly kind: 'list'; readonly id: string };

/** A channel whose id only the platform knows. */
type UnresolvedSource = { readonly kind: 'channel_name'; readonly name: string };

const uploadsOf = (channelId: string): string => `UU${channelId.slice('UC'.length)}`;

export const channelSource = (id: string): Source => ({ kind: 'channel', id, playlistId: uploadsOf(id) });

/** What people copy while a playlist plays names a video of it. */
const oneOfPlaylist = (input: string): ServiceError => {
  const list = /[?&]list=([\w-]{2,100})/.exec(input)?.[1];
  if (list === undefined) return serviceError('single_video');
  return serviceError('single_video', {
    message: `This link names one video of a playlist. For the whole playlist send https://www.youtube.com/playlist?list=${list}.`,
  });
};

/** Throws `single_video`, or `bulk_input_required` where the input names nothing that can be listed. */
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
      throw oneOfPlaylist(input);
    default:
      throw serviceError('bulk_input_required');
  }
};

const UPLOADS = /^UU([\w-]{22})$/;
const SHORTS = /^UUSH[\w-]{22}$/;

/** One list of the platform to walk through. `shorts` is walked only to know which rows of the other are Shorts. */
export type Phase = { readonly name: 'shorts' | 'rows'; readonly playlistId: string };

/** The lists by prefix partition a channel's uploads, which tells Shorts without a request for each video. */
export const phasesOf = (playlistId: string, contents: ListingContents): readonly Phase[] => {
  const suffix = UPLOADS.exec(playlistId)?.[1];
  if (suffix === undefined) return [{ name: 'rows', playlistId }];
  if (contents === 'videos') return [{ name: 'rows', playlistId: `UULF${suffix}` }];
  if (contents === 'shorts') return [{ name: 'rows', playlistId: `UUSH${suffix}` }];
  return [
    { name: 'shorts', playlistId: `UUSH${suffix}` },
    { name: 'rows', playlistId },
  ];
};

/** Whether a row is a Short: by the list that it stands in, by the list of Shorts, or by its own mark. */
export const isShort = (
  row: { readonly id: string; readonly isShort: boolean | null },
  playlistId: string,
  shorts: ReadonlySet<string>,
): boolean => SHORTS.test(playlistId) || shorts.has(row.id) || row.isShort === true;

export const belongsTo = (contents: ListingContents, row: { readonly isShort: boolean }): boolean =>
  contents === 'all' || row.isShort === (contents === 'shorts');

const KEY_LENGTH = 22;

/** The same videos in the same order have the same key, whoever resolves them and whenever. */
export const listKey = (videoIds: readonly string[]): string =>
  createHash('sha256').update(videoIds.join(',')).digest('base64url').slice(0, KEY_LENGTH);
