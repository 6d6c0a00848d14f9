import { findVideo } from '../catalogue/catalogue.ts';
import type { Uploads } from '../catalogue/uploads.ts';
import type { Video } from '../catalogue/video.ts';
import { findList, type VideoList } from '../catalogue/video-lists.ts';
import type { FaultRegistry } from '../faults/fault-registry.ts';
import type { createTokens } from '../wire/po-token.ts';
import type { RequestLog } from './request-log.ts';

/** What the platform shows at this moment: the catalogue and what was uploaded since, without what was removed. */
type Content = {
  video(id: string): Video | undefined;
  list(id: string): VideoList | undefined;
  remove(id: string): void;
};

const hideRemoved = (removed: ReadonlySet<string>, list: VideoList): VideoList => ({
  ...list,
  isUnavailable: (place) => list.isUnavailable(place) || removed.has(list.videoIdAt(place)),
});

export const createContent = (seed: number, uploads: Uploads): Content => {
  const removed = new Set<string>();
  return {
    video: (id) => (removed.has(id) ? undefined : (uploads.find(id) ?? findVideo(id, seed))),
    list(id) {
      const list = findList(id, seed, uploads.idsIn(id));
      return list && hideRemoved(removed, list);
    },
    remove: (id) => {
      removed.add(id);
    },
  };
};

/** How many requests are answered at the same time; the others wait in the order in which they came. */
type Places = {
  setMaxConcurrent(limit: number): void;
  /** Resolves when there is a place, to what releases it. */
  take(): Promise<() => void>;
};

export const createPlaces = (): Places => {
  let limit = Number.POSITIVE_INFINITY;
  let active = 0;
  const waiting: (() => void)[] = [];
  const fill = (): void => {
    while (active < limit && waiting.length > 0) {
      active += 1;
      waiting.shift()?.();
    }
  };
  const release = (): void => {
    active -= 1;
    fill();
  };
  return {
    setMaxConcurrent: (max) => {
      limit = max;
      fill();
    },
    take: async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        fill();
      });
      return release;
    },
  };
};

/** Everything that the routes share. */
export type Simulation = {
  seed: number;
  now: () => number;
  /** Where caption URLs point to; known once the server listens. */
  origin: string;
  latencyMs: number;
  places: Places;
  uploads: Uploads;
  content: Content;
  tokens: ReturnType<typeof createTokens>;
  faults: FaultRegistry;
  log: RequestLog;
};
