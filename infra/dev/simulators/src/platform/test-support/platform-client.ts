type Track = { baseUrl: string; languageCode: string; kind?: string; name: object; trackName: string };
type TrackList = {
  captionTracks: Track[];
  audioTracks: { captionTrackIndices: number[]; defaultCaptionTrackIndex?: number }[];
  translationLanguages?: { languageCode: string }[];
  defaultAudioTrackIndex: number;
};

export type PlayerAnswer = {
  responseContext?: { visitorData?: string };
  playabilityStatus?: { status: string; reason?: string; errorScreen?: Record<string, unknown> };
  captions?: { playerCaptionsTracklistRenderer: TrackList };
  videoDetails?: { videoId: string; title: string; lengthSeconds: string; isLive?: boolean };
  microformat?: { playerMicroformatRenderer: { publishDate: string } };
};

const JUST_ENOUGH_BYTES = 4_000_000;

/** The text of an answer, with the patience and the limits that a test wants. */
const readCapped = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > JUST_ENOUGH_BYTES) throw new RangeError('answer too large');
  }
  return Buffer.concat(chunks).toString();
};

export type PlatformText = { status: number; text: string; location: string | null };

/** Beyond what a busy machine needs for a day-long transcript; what hangs costs a test this much. */
const TIMEOUT_MS = 8_000;

export const fetchText = async (
  url: string,
  init: RequestInit = {},
  timeoutMs = TIMEOUT_MS,
): Promise<PlatformText> => {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs), ...init });
  const location = response.headers.get('location');
  return { status: response.status, text: await readCapped(response), location };
};

/** A token of the provider, which the simulator is as well. */
export const askToken = async (
  origin: string,
  videoId: string,
): Promise<{ poToken: string; contentBinding: string; expiresAt: string }> => {
  const init = { method: 'POST', body: JSON.stringify({ content_binding: videoId }) };
  return JSON.parse((await fetchText(`${origin}/get_pot`, init)).text);
};

export const postPlayer = (
  origin: string,
  client: string,
  videoId: string,
  init: RequestInit = {},
  timeoutMs = TIMEOUT_MS,
): Promise<PlatformText> => {
  const body = JSON.stringify({ context: { client: { clientName: client, clientVersion: '1' } }, videoId });
  return fetchText(
    `${origin}/youtubei/v1/player?prettyPrint=false`,
    { method: 'POST', body, ...init },
    timeoutMs,
  );
};

export const readPlayer = async (origin: string, client: string, videoId: string): Promise<PlayerAnswer> =>
  JSON.parse((await postPlayer(origin, client, videoId)).text);

export const trackList = (answer: PlayerAnswer): TrackList => {
  if (!answer.captions) throw new Error('no captions in the answer');
  return answer.captions.playerCaptionsTracklistRenderer;
};

/** The address of a track at this origin in another format, and translated if asked. */
export const captionAddress = (origin: string, baseUrl: string, fmt: string, tlang?: string): string => {
  const url = new URL(baseUrl);
  url.searchParams.set('fmt', fmt);
  if (tlang !== undefined) url.searchParams.set('tlang', tlang);
  return `${origin}${url.pathname}${url.search}`;
};
