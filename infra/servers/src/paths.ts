import path from 'node:path';

/** The root of the workspace. */
export const workspaceRoot = path.resolve(import.meta.dirname, '../../..');

/** Everything that a run leaves on disk stands here; git ignores it. */
export const localDir = path.join(workspaceRoot, '.local');
