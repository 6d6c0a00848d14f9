import path from 'node:path';

/** The root of the workspace. */
export const workspaceRoot = path.resolve(import.meta.dirname, '../../..');
