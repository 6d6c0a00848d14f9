import type { ClientName } from '../wire/clients.ts';

export type TrackKind = 'manual' | 'asr';

/** One caption track as the platform lists it. */
export type Track = {
  /** Spelled as the platform does: `iw`, `no`, `fil`, `zh-Hans`. */
  languageCode: string;
  kind: TrackKind;
  /** The creator's name of the track; empty for most. */
  trackName: string;
  vssId: string;
  translatable: boolean;
};

/** A spoken track. `captionTrackIndices` point into the video's tracks. */
export type AudioTrack = {
  audioTrackId?: string;
  captionTrackIndices: readonly number[];
  defaultCaptionTrackIndex?: number;
};

export type Playability = {
  status: string;
  reason?: string;
  subreason?: string;
  messages?: readonly string[];
  captcha?: boolean;
  /** Of an announced broadcast: the seconds until it begins. */
  startsInSeconds?: number;
  /** Private and deleted videos are answered without any details. */
  hidesDetails?: boolean;
};

export type CueStyle =
  | 'plain'
  | 'one'
  | 'arrow'
  | 'markup'
  | 'ampersand'
  | 'blank-lines'
  | 'padded'
  | 'karaoke';

/** Values that may differ by client; `*` stands for all others. */
export type ByClient<Value> = Partial<Record<ClientName | '*', Value>>;

export type Video = {
  id: string;
  title: string;
  description: string;
  lengthSeconds: number;
  channel: { id: string; title: string; handle: string };
  /** `2026-10-31T00:00:00.000Z`: only what was uploaded while the simulator runs has a time of day. */
  publishedAt: string;
  isShort: boolean;
  viewCount: number;
  tags?: readonly string[];
  tracks: readonly Track[];
  audioTracks: readonly AudioTrack[];
  defaultAudioTrackIndex: number;
  /** `listed`: by the client's own habit; `wide-only`: ANDROID offers one; `unlisted`: no list; `refused`: tlang gets 429. */
  translation: 'listed' | 'wide-only' | 'unlisted' | 'refused';
  playability: ByClient<Playability>;
  /** The `exp` parameter of caption URLs; `xpe` among its values asks for a token. */
  exp: ByClient<string>;
  cueStyle: CueStyle;
  liveState?: 'live' | 'upcoming';
  /** Replaces the origin of caption URLs, to prove that a reader uses only path and query. */
  captionOrigin?: string;
};

export const byClient = <Value>(values: ByClient<Value>, client: ClientName): Value | undefined =>
  values[client] ?? values['*'];

const SHORTS_EVERY = 6;

/** Every sixth video of a channel is a Short. */
export const isShortPlace = (place: number): boolean => place % SHORTS_EVERY === SHORTS_EVERY - 1;
