import type { Endpoint } from '../faults/fault.ts';
import type { PlatformRequest } from '../faults/fault-scope.ts';

export type EndpointCounts = Partial<Record<Endpoint, number>>;

export type RequestCounts = {
  total: number;
  byEndpoint: EndpointCounts;
  /** Counted by the client that asked; a caption request counts for the client that its URL was given to. */
  byClient: Record<string, EndpointCounts>;
  byVideo: Record<string, EndpointCounts>;
};

export type RequestLog = {
  count(request: PlatformRequest): void;
  counts(): RequestCounts;
  reset(): void;
};

/** Beyond it the videos counted first are forgotten, so that a long load test does not fill the memory. */
const MOST_VIDEOS = 50_000;

const increase = (counts: EndpointCounts, endpoint: Endpoint): void => {
  counts[endpoint] = (counts[endpoint] ?? 0) + 1;
};

const countsIn = (map: Map<string, EndpointCounts>, key: string): EndpointCounts => {
  const known = map.get(key);
  if (known) return known;
  const counts: EndpointCounts = {};
  map.set(key, counts);
  return counts;
};

const copyOf = (map: Map<string, EndpointCounts>): Record<string, EndpointCounts> =>
  Object.fromEntries([...map].map(([key, counts]) => [key, { ...counts }]));

/** Counts requests by endpoint, client and video. */
export const createRequestLog = (): RequestLog => {
  const byClient = new Map<string, EndpointCounts>();
  const byVideo = new Map<string, EndpointCounts>();
  let byEndpoint: EndpointCounts = {};
  let total = 0;

  const forgetOldest = (): void => {
    const oldest = byVideo.keys().next().value;
    if (byVideo.size > MOST_VIDEOS && oldest !== undefined) byVideo.delete(oldest);
  };

  return {
    count: ({ endpoint, client, videoId }) => {
      total += 1;
      increase(byEndpoint, endpoint);
      increase(countsIn(byClient, client), endpoint);
      if (videoId !== '') increase(countsIn(byVideo, videoId), endpoint);
      forgetOldest();
    },
    counts: () => ({
      total,
      byEndpoint: { ...byEndpoint },
      byClient: copyOf(byClient),
      byVideo: copyOf(byVideo),
    }),
    reset: () => {
      byClient.clear();
      byVideo.clear();
      byEndpoint = {};
      total = 0;
    },
  };
};
