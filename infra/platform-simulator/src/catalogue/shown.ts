import { findVideo } from './catalogue.ts';
import type { Uploads } from './uploads.ts';
import type { Video } from './video.ts';
import { findList, type VideoList } from './video-lists.ts';

/** What the platform shows at this moment: the catalogue and what was uploaded since, without what was removed. */
export type Shown = {
  video(id: string): Video | undefined;
  list(id: string): VideoList | undefined;
  remove(id: string): void;
};

const without = (removed: ReadonlySet<string>, list: VideoList): VideoList => ({
  ...list,
  isUnavailable: (place) => list.isUnavailable(place) || removed.has(list.videoIdAt(place)),
});

export const createShown = (seed: number, uploads: Uploads): Shown => {
  const removed = new Set<string>();
  return {
    video: (id) => (removed.has(id) ? undefined : (uploads.find(id) ?? findVideo(id, seed))),
    list(id) {
      const list = findList(id, seed, uploads.idsIn(id));
      return list && without(removed, list);
    },
    remove: (id) => {
      removed.add(id);
    },
  };
};
