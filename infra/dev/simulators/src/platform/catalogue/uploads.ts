import { z } from 'zod';
import { type Channel, channelAt, playlistById } from './channels.ts';
import { findChannel, findChannelByHandle } from './giant-channel.ts';
import { plainVideo } from './ordinary-video.ts';
import { createRandom, hashText } from './random.ts';
import type { Video } from './video.ts';

const MAX_CONCURRENT = 1_000;

export const uploadSchema = z.strictObject({
  /** A channel's id or handle; or a playlist's id: then the videos are its channel's as well. */
  to: z.string(),
  count: z.int().min(1).max(MAX_CONCURRENT).default(1),
  title: z.string().optional(),
  /** Announced now, out so much later. */
  upcomingSeconds: z.int().positive().optional(),
  /** Out without captions, which come so much later. */
  captionsInSeconds: z.int().positive().optional(),
  /** Where a playlist shows them. Its channel has them on top. */
  at: z.enum(['top', 'end']).default('top'),
});
export type UploadInput = z.input<typeof uploadSchema>;
type UploadRequest = z.output<typeof uploadSchema>;

type Upload = {
  id: string;
  channel: Channel;
  playlistId: string | null;
  title: string | undefined;
  /** Milliseconds since 1970. */
  announcedAt: number;
  airsAt: number;
  captionsAt: number;
};

export type Uploads = {
  /** Returns the new ids, newest first. @throws RangeError for an unknown channel or playlist. */
  add(input: UploadInput): string[];
  /** Ends the waits of an upload. False if there is no such upload. */
  release(id: string): boolean;
  find(id: string): Video | undefined;
  /** The ids of those in a list: on its top the newest first, at its end the newest last. */
  idsIn(listId: string): AddedIds;
};

export type AddedIds = { readonly top: readonly string[]; readonly end: readonly string[] };

type Setting = { seed: number; now: () => number };

const MS = 1_000;

/** What cannot be watched yet has no captions and no length. */
const buildState = ({ airsAt, captionsAt }: Upload, now: number): Partial<Video> => {
  if (now >= airsAt) return now >= captionsAt ? {} : { tracks: [], audioTracks: [] };
  const startsInSeconds = Math.ceil((airsAt - now) / MS);
  const playability = { '*': { status: 'LIVE_STREAM_OFFLINE', reason: 'Premieres soon.', startsInSeconds } };
  return { tracks: [], audioTracks: [], lengthSeconds: 0, viewCount: 0, liveState: 'upcoming', playability };
};

const buildVideo = (upload: Upload, { seed, now }: Setting): Video => {
  const plain = plainVideo(upload.id, upload.channel, createRandom(hashText(upload.id, seed)));
  return {
    ...plain,
    ...(upload.title === undefined ? {} : { title: upload.title }),
    publishedAt: new Date(upload.announcedAt).toISOString(),
    ...buildState(upload, now()),
  };
};

const listsOfUploads = ({ channel }: Upload): readonly string[] =>
  ['UU', 'UULF'].map((prefix) => `${prefix}${channel.id.slice(2)}`);

type Source = Pick<Upload, 'channel' | 'playlistId'>;

const findSource = (to: string, seed: number): Source => {
  const playlist = playlistById(to, seed);
  const channel = playlist
    ? channelAt(playlist.channelIndex, seed)
    : (findChannel(to, seed) ?? findChannelByHandle(to, seed));
  if (!channel) throw new RangeError(`no channel or playlist ${to}`);
  return { channel, playlistId: playlist?.id ?? null };
};

const buildUpload = (id: string, index: number, asked: UploadRequest, source: Source, now: number): Upload => {
  const { count, title, upcomingSeconds = 0, captionsInSeconds = 0 } = asked;
  return {
    ...{ id, ...source, announcedAt: now },
    ...{ airsAt: now + upcomingSeconds * MS, captionsAt: now + captionsInSeconds * MS },
    title: title === undefined || count === 1 ? title : `${title} ${index + 1}`,
  };
};

const ID_DIGITS = 9;
const BASE = 36;

/** Videos that came after the catalogue was made. They are lost with the process. */
export const createUploads = ({ seed, now }: Setting): Uploads => {
  const uploads = new Map<string, Upload>();
  /** By the id of a list. */
  const lists = new Map<string, AddedIds>();
  const idsIn = (listId: string): AddedIds => lists.get(listId) ?? { top: [], end: [] };
  const add = (listId: string, id: string, at: UploadRequest['at'] = 'top'): void => {
    const { top, end } = idsIn(listId);
    lists.set(listId, at === 'top' ? { top: [id, ...top], end } : { top, end: [...end, id] });
  };
  // Ids begin with the time, so that another start does not give them to other videos.
  let last = now();
  const nextId = (): string => {
    last += 1;
    return `up${last.toString(BASE).padStart(ID_DIGITS, '0')}`;
  };
  return {
    add(input) {
      const request = uploadSchema.parse(input);
      const source = findSource(request.to, seed);
      const added = Array.from({ length: request.count }, (_, index) =>
        buildUpload(nextId(), index, request, source, now()),
      );
      for (const upload of added) {
        uploads.set(upload.id, upload);
        for (const listId of listsOfUploads(upload)) add(listId, upload.id);
        if (source.playlistId) add(source.playlistId, upload.id, request.at);
      }
      return added.map(({ id }) => id).toReversed();
    },
    release(id) {
      const upload = uploads.get(id);
      if (upload) Object.assign(upload, { airsAt: now(), captionsAt: now() });
      return upload !== undefined;
    },
    find(id) {
      const upload = uploads.get(id);
      return upload && buildVideo(upload, { seed, now });
    },
    idsIn,
  };
};
