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

/** Counts by name and endpoint; an empty name counts for nothing. */
const createGroup = () => {
  const counts = new Map<string, EndpointCounts>();
  return {
    add: (name: string, endpoint: Endpoint): void => {
      if (name === '') return;
      const previous = counts.get(name);
      counts.set(name, { ...previous, [endpoint]: (previous?.[endpoint] ?? 0) + 1 });
      const oldest = counts.keys().next().value;
      if (counts.size > MAX_NAMES && oldest !== undefined) counts.delete(oldest);
    },
    list: (): Record<string, EndpointCounts> => Object.fromEntries(counts),
    clear: () => counts.clear(),
  };
};

/** Counts requests by endpoint, client and video. */
export const createRequestLog = (): RequestLog => {
  const [all, byClient, byVideo, bySource] = [createGroup(), createGroup(), createGroup(), createGroup()];
  return {
    count: ({ endpoint, client, videoId, sourceId }) => {
      all.add('all', endpoint);
      byClient.add(client, endpoint);
      byVideo.add(videoId, endpoint);
      bySource.add(sourceId, endpoint);
    },
    counts: () => {
      const byEndpoint = all.list().all ?? {};
      const total = Object.values(byEndpoint).reduce((sum, count) => sum + count, 0);
      const named = { byClient: byClient.list(), byVideo: byVideo.list(), bySource: bySource.list() };
      return { total, byEndpoint, ...named };
    },
    reset: () => {
      for (const group of [all, byClient, byVideo, bySource]) group.clear();
    },
  };
};
