import type { Endpoint } from '../faults/fault.ts';
import type { PlatformRequest } from '../faults/fault-scope.ts';

export type EndpointCounts = Partial<Record<Endpoint, number>>;

export type RequestCounts = {
  total: number;
  byEndpoint: EndpointCounts;
  /** Counted by the client that asked; a caption request counts for the client that its URL was given to. */
  byClient: Record<string, EndpointCounts>;
  byVideo: Record<string, EndpointCounts>;
  /** By the channel or playlist whose feed was asked for. */
  bySource: Record<string, EndpointCounts>;
};

export type RequestLog = {
  count(request: PlatformRequest): void;
  counts(): RequestCounts;
  reset(): void;
};

/** Beyond it what was counted first is forgotten, so that a long load test does not fill the memory. */
const MAX_NAMES = 50_000;

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

const countNamed = (map: Map<string, EndpointCounts>, name: string, endpoint: Endpoint): void => {
  if (name !== '') increase(countsIn(map, name), endpoint);
  const oldest = map.keys().next().value;
  if (map.size > MAX_NAMES && oldest !== undefined) map.delete(oldest);
};

const copyOf = (map: Map<string, EndpointCounts>): Record<string, EndpointCounts> =>
  Object.fromEntries([...map].map(([key, counts]) => [key, { ...counts }]));

/** Counts requests by endpoint, client and video. */
export const createRequestLog = (): RequestLog => {
  const byClient = new Map<string, EndpointCounts>();
  const byVideo = new Map<string, EndpointCounts>();
  const bySource = new Map<string, EndpointCounts>();
  let byEndpoint: EndpointCounts = {};
  let total = 0;

  return {
    count: ({ endpoint, client, videoId, sourceId }) => {
      total += 1;
      increase(byEndpoint, endpoint);
      increase(countsIn(byClient, client), endpoint);
      countNamed(byVideo, videoId, endpoint);
      countNamed(bySource, sourceId, endpoint);
    },
    counts: () => ({
      total,
      byEndpoint: { ...byEndpoint },
      byClient: copyOf(byClient),
      byVideo: copyOf(byVideo),
      bySource: copyOf(bySource),
    }),
    reset: () => {
      byClient.clear();
      byVideo.clear();
      bySource.clear();
      byEndpoint = {};
      total = 0;
    },
  };
};
