import { z } from 'zod';
import { type Channel, channelAt, playlistById } from './channels.ts';
import { channelNamed, channelOf } from './giant-channel.ts';
import { plainVideo } from './ordinary-video.ts';
import { createRandom, hashText } from './random.ts';
import type { Video } from './video.ts';

const MAX_CONCURRENT = 1_000;
const seconds = z.int().positive();

export const uploadSchema = z.strictObject({
  /** A channel's id or handle; or a playlist's id: then the videos are its channel's as well. */
  to: z.string(),
  count: z.int().min(1).max(MAX_CONCURRENT).default(1),
  title: z.string().optional(),
  short: z.boolean().default(false),
  /** Announced now, out so much later. */
  upcomingSeconds: seconds.optional(),
  /** A broadcast that lasts so long from when it is out. */
  liveSeconds: seconds.optional(),
  /** Where a playlist shows them. Its channel has them on top. */
  at: z.enum(['top', 'end']).default('top'),
});
export type UploadInput = z.input<typeof uploadSchema>;
type Asked = z.output<typeof uploadSchema>;

type Upload = {
  id: string;
  channel: Channel;
  playlistId: string | null;
  title: string | undefined;
  isShort: boolean;
  isBroadcast: boolean;
  /** Milliseconds since 1970. */
  announcedAt: number;
  airsAt: number;
  endsAt: number;
};

export type Uploads = {
  /** Returns the new ids, newest first. @throws RangeError for an unknown channel or playlist. */
  add(input: UploadInput): string[];
  /** Ends the wait and the broadcast of an upload. False if there is no such upload. */
  release(id: string): boolean;
  find(id: string): Video | undefined;
  /** The ids of those in a list: on its top the newest first, at its end the newest last. */
  idsIn(listId: string): Added;
};

export type Added = { readonly top: readonly string[]; readonly end: readonly string[] };

type Setting = { seed: number; now: () => number };

const SHORT_SECONDS = 40;
const MS = 1_000;

/** What cannot be watched yet, or not to its end, has no captions and no length. */
const untilItIsOver = { tracks: [], audioTracks: [], lengthSeconds: 0 } as const;

const stateOf = ({ airsAt, endsAt, isBroadcast }: Upload, now: number): Partial<Video> => {
  if (now < airsAt) {
    const reason = isBroadcast ? 'This live event will begin soon.' : 'Premieres soon.';
    const startsInSeconds = Math.ceil((airsAt - now) / MS);
    const playability = { '*': { status: 'LIVE_STREAM_OFFLINE', reason, startsInSeconds } };
    return { ...untilItIsOver, viewCount: 0, liveState: 'upcoming', playability };
  }
  if (now < endsAt) return { ...untilItIsOver, liveState: 'live' };
  return isBroadcast ? { liveState: 'ended' } : {};
};

const videoOf = (upload: Upload, { seed, now }: Setting): Video => {
  const plain = plainVideo(upload.id, upload.channel, createRandom(hashText(upload.id, seed)));
  return {
    ...plain,
    ...(upload.title === undefined ? {} : { title: upload.title }),
    ...(upload.isShort ? { lengthSeconds: SHORT_SECONDS } : {}),
    isShort: upload.isShort,
    publishedAt: new Date(upload.announcedAt).toISOString(),
    ...stateOf(upload, now()),
  };
};

/** The lists of a channel's uploads that a video is in, by their prefix. */
const prefixesOf = ({ isShort, isBroadcast }: Upload): readonly string[] => {
  if (isBroadcast) return ['UU', 'UULV'];
  return ['UU', isShort ? 'UUSH' : 'UULF'];
};

const listsOfUploads = (upload: Upload): readonly string[] =>
  prefixesOf(upload).map((prefix) => `${prefix}${upload.channel.id.slice(2)}`);

const nothing: Added = { top: [], end: [] };
const onTop = ({ top, end }: Added, id: string): Added => ({ top: [id, ...top], end });
const atEnd = ({ top, end }: Added, id: string): Added => ({ top, end: [...end, id] });

type Source = Pick<Upload, 'channel' | 'playlistId'>;

const sourceOf = (to: string, seed: number): Source => {
  const playlist = playlistById(to, seed);
  const channel = playlist
    ? channelAt(playlist.channelIndex, seed)
    : (channelOf(to, seed) ?? channelNamed(to, seed));
  if (!channel) throw new RangeError(`no channel or playlist ${to}`);
  return { channel, playlistId: playlist?.id ?? null };
};

const uploadOf = (id: string, index: number, asked: Asked, source: Source, now: number): Upload => {
  const { count, title, short: isShort, upcomingSeconds = 0, liveSeconds = 0 } = asked;
  const airsAt = now + upcomingSeconds * MS;
  return {
    ...{ id, ...source, isShort, isBroadcast: liveSeconds > 0 },
    title: title === undefined || count === 1 ? title : `${title} ${index + 1}`,
    ...{ announcedAt: now, airsAt, endsAt: airsAt + liveSeconds * MS },
  };
};

const ID_DIGITS = 9;
const BASE = 36;

/** Videos that came after the catalogue was made. They are lost with the process. */
export const createUploads = ({ seed, now }: Setting): Uploads => {
  const uploads = new Map<string, Upload>();
  /** By the id of a list. */
  const lists = new Map<string, Added>();
  const addTo = (listId: string, put: typeof onTop, id: string) =>
    lists.set(listId, put(lists.get(listId) ?? nothing, id));
  // Ids begin with the time, so that another start does not give them to other videos.
  let last = now();
  const nextId = (): string => {
    last += 1;
    return `up${last.toString(BASE).padStart(ID_DIGITS, '0')}`;
  };
  return {
    add(input) {
      const asked = uploadSchema.parse(input);
      const source = sourceOf(asked.to, seed);
      const added = Array.from({ length: asked.count }, (_, index) =>
        uploadOf(nextId(), index, asked, source, now()),
      );
      for (const upload of added) {
        uploads.set(upload.id, upload);
        for (const listId of listsOfUploads(upload)) addTo(listId, onTop, upload.id);
        if (source.playlistId) addTo(source.playlistId, asked.at === 'end' ? atEnd : onTop, upload.id);
      }
      return added.map(({ id }) => id).toReversed();
    },
    release(id) {
      const upload = uploads.get(id);
      if (upload) Object.assign(upload, { airsAt: now(), endsAt: now() });
      return upload !== undefined;
    },
    find(id) {
      const upload = uploads.get(id);
      return upload && videoOf(upload, { seed, now });
    },
    idsIn: (listId) => lists.get(listId) ?? nothing,
  };
};
