import path from 'node:path';
import { workspaceRoot } from '@tds/migrations';

export { workspaceRoot };

/** Everything that a run leaves on disk stands here; git ignores it. */
export const localDir = path.join(workspaceRoot, '.local');

/** The data of `npm start`, which users may want to delete. */
export const dataDir = path.join(localDir, 'data');

/** Programs and caches, which are expensive to fetch again. */
export const toolsDir = path.join(localDir, 'tools');
