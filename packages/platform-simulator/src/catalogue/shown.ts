import { findVideo } from './catalogue.ts';
import type { Uploads } from './uploads.ts';
import type { Video } from './video.ts';
import { findList, type VideoList } from './video-lists.ts';

/** What the platform shows at this moment: the catalogue, and what was uploaded since. */
export type Shown = {
  video(id: string): Video | undefined;
  list(id: string): VideoList | undefined;
};

export const shown = (seed: number, uploads: Uploads): Shown => ({
  video: (id) => uploads.find(id) ?? findVideo(id, seed),
  list: (id) => findList(id, seed, uploads.idsIn(id)),
});
