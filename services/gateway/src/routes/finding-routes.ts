import { listVideos } from './list-videos.ts';
import { resolveVideos } from './resolve-videos.ts';
import { searchPage } from './search-page.ts';

export const findingRoutes = { listVideos, resolveVideos, searchPage };
