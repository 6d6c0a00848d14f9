import { hashText } from '../catalogue/random.ts';
import { byClient, type Track, type Video } from '../catalogue/video.ts';
import { type ClientName, clientOf, clientRow } from './clients.ts';

export type CaptionUrlContext = {
  origin: string;
  client: ClientName;
  seed: number;
  now: number;
  /** As if the client's URLs were gated, whatever the video says. */
  gated: boolean;
};

const HOUR_MS = 3_600_000;
const VALID_HOURS = 6;
const EVENT_ID_BYTES = 16;

/** The opaque `ei` parameter; ours remembers which client asked, so that faults can be aimed at it. */
const eventId = (videoId: string, client: ClientName, hour: number): string => {
  const bytes = Buffer.alloc(EVENT_ID_BYTES);
  bytes.writeUInt32BE(hour);
  bytes.writeUInt16BE(clientRow(client).number, 4);
  bytes.writeUInt32BE(hashText(videoId, hour), 8);
  return bytes.toString('base64url');
};

/** The client that a caption URL was given to. */
export const clientOfEvent = (ei: string): ClientName | undefined => {
  const bytes = Buffer.from(ei, 'base64url');
  return bytes.length === EVENT_ID_BYTES ? clientOf(bytes.readUInt16BE(4)) : undefined;
};

const sign = (values: string, seed: number): string => {
  const part = (salt: number): string =>
    hashText(values, seed + salt)
      .toString(16)
      .toUpperCase()
      .padStart(8, '0');
  const half = (from: number): string => [0, 1, 2, 3, 4].map((index) => part(from + index)).join('');
  return `${half(1)}.${half(6)}`;
};

const signedValues = (parameters: URLSearchParams): string =>
  (parameters.get('sparams') ?? '')
    .split(',')
    .map((name) => `${name}=${parameters.get(name) ?? ''}`)
    .join('&');

/** A caption track's `baseUrl`: signed, good for six hours, and worth nothing when its signed values change. */
export const captionUrl = (video: Video, track: Track, context: CaptionUrlContext): string => {
  const { client, seed } = context;
  const hour = Math.floor(context.now / HOUR_MS);
  const exp = context.gated ? 'xpe' : byClient(video.exp, client);
  const parameters = new URLSearchParams({
    v: video.id,
    ei: eventId(video.id, client, hour),
    caps: 'asr',
    opi: '112496729',
    ...(exp === undefined ? {} : { exp }),
    xoaf: '5',
    hl: 'en',
    ip: '0.0.0.0',
    ipbits: '0',
    expire: String((hour + VALID_HOURS) * (HOUR_MS / 1000)),
    sparams: `ip,ipbits,expire,v,ei,caps,opi${exp === undefined ? '' : ',exp'},xoaf`,
  });
  parameters.set('signature', sign(signedValues(parameters), seed));
  parameters.set('key', 'yt8');
  if (track.kind === 'asr') parameters.set('kind', 'asr');
  parameters.set('lang', track.languageCode);
  if (track.trackName !== '') parameters.set('name', track.trackName);
  const { captionFormat } = clientRow(client);
  if (captionFormat !== undefined) parameters.set('fmt', captionFormat);
  // The platform leaves the commas of its own lists as they are.
  const query = parameters.toString().replaceAll('%2C', ',');
  return `${video.captionOrigin ?? context.origin}/api/timedtext?${query}`;
};

/** True for a URL that this simulator made with the same seed, unchanged in what is signed and not expired. */
export const isGenuine = (parameters: URLSearchParams, seed: number, now: number): boolean =>
  Number(parameters.get('expire')) * 1000 > now &&
  parameters.get('signature') === sign(signedValues(parameters), seed);

const gatedMarks = new Set(['xpe', 'xpv']);

/** A URL that answers with nothing unless it comes with a `pot`. */
export const needsToken = (parameters: URLSearchParams): boolean =>
  (parameters.get('exp') ?? '').split(',').some((mark) => gatedMarks.has(mark));
