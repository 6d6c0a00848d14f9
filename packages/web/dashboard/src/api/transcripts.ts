import { queryOptions } from '@tanstack/react-query';
import type { Answer, TranscriptFormat } from '@transcript-delivery/sdk';
import { otherName, type VideoFacts } from '../languages.ts';
import { attachmentName, type ReadableTranscript, type Wish } from '../transcript.ts';
import { saveAs } from './save-as.ts';
import { fetchAnswer, send } from './send.ts';
import { withKey } from './with-key.ts';

const OK = 200;
const ACCEPTED = 202;
const SECOND_MS = 1_000;

type Asking = { readonly key: string; readonly signal?: AbortSignal; readonly onWait?: () => void };

const pathOf = ({ video, language }: Wish, more: Record<string, string>): string =>
  `/v1/transcript?${new URLSearchParams({ video_id: video, language, ...more })}`;

/** Polls while the transcript is being fetched. */
const readWhole = async (path: string, { onWait, ...options }: Asking): Promise<Response> => {
  let response = await fetchAnswer('GET', path, options);
  while (response.status === ACCEPTED) {
    onWait?.();
    const { poll_url } = (await response.json()) as Answer<'getTranscript', 202>;
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * SECOND_MS));
    response = await fetchAnswer('GET', poll_url, options);
  }
  return response;
};

/** Any address of a video, or its id. */
export const findVideo = (input: string): Promise<VideoFacts> =>
  withKey((key) => send('GET', `/v1/video?${new URLSearchParams({ input })}`, { key }));

/** A transcript with what it has cost. It starts work if the transcript is not cached. */
export const readTranscript = async (
  wish: Wish,
  { refresh = false, ...asking }: Asking & { readonly refresh?: boolean },
) => {
  const more = { format: 'json', passages: 'true', ...(refresh && { refresh: 'true' }) };
  const response = await readWhole(pathOf(wish, more), asking);
  const charged = Number(response.headers.get('x-credits-charged') ?? 0);
  return { transcript: (await response.json()) as ReadableTranscript, charged };
};

/** HEAD starts no work. A refusal has no body: whether the transcript is there, stays unknown. */
const isCached = (wish: Wish, options: Asking): Promise<boolean> =>
  fetchAnswer('HEAD', pathOf(wish, { format: 'json' }), options).then(
    ({ status }) => status === OK,
    () => false,
  );

/** What is known of a video, and the wish by which its transcript is cached; null if it is not. What is free is never sold. */
export const openingQuery = (wish: Wish) =>
  queryOptions({
    queryKey: ['opening', wish],
    queryFn: ({ signal }) =>
      withKey(async (key) => {
        const [facts, cached] = await Promise.all([
          send<VideoFacts>('GET', `/v1/video?video_id=${encodeURIComponent(wish.video)}`, { key, signal }),
          isCached(wish, { key, signal }),
        ]);
        if (cached) return { facts, cached: wish };
        const language = otherName(facts, wish.language);
        const other = language !== null && facts.cached_languages.length > 0 ? { ...wish, language } : null;
        return { facts, cached: other && (await isCached(other, { key, signal })) ? other : null };
      }),
  });

/** The tracks of a video of which nothing is known. Free; that the platform does not say them, stops nothing. */
export const languagesQuery = (video: string) =>
  queryOptions({
    queryKey: ['languages', video],
    queryFn: ({ signal }) =>
      withKey((key) =>
        send<Answer<'listLanguages'>>('GET', `/v1/video/languages?video_id=${encodeURIComponent(video)}`, {
          key,
          signal,
        }),
      ),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Only for what is cached, so reading it is free. It never changes. */
export const transcriptQuery = (wish: Wish) =>
  queryOptions({
    queryKey: ['transcript', wish],
    queryFn: ({ signal }) => withKey((key) => readTranscript(wish, { key, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const downloadTranscript = (wish: Wish, format: TranscriptFormat): Promise<void> =>
  withKey(async (key) => {
    const response = await readWhole(pathOf(wish, { format, raw: '1' }), { key });
    saveAs(attachmentName(response.headers.get('content-disposition')), await response.blob());
  });
