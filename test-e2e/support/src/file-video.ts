import { globSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import type { TestSystem } from './system.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** For each test file; numbers of seven digits stay what they are, as videos that only one file names. */
const VIDEOS_OF_A_FILE = 50_000;
let files: readonly string[] | undefined;

/** The n-th video of the running test file, which no other file of the shared system has read. */
export const fileVideo = (n: number): string => {
  if (n >= VIDEOS_OF_A_FILE) throw new RangeError(`a file has ${VIDEOS_OF_A_FILE} videos`);
  files ??= globSync('**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] }).toSorted();
  const { testPath = '' } = expect.getState();
  const index = files.indexOf(path.relative(root, testPath));
  if (index === -1) throw new Error(`not a test file below ${root}: ${testPath}`);
  return loadVideoId(index * VIDEOS_OF_A_FILE + n);
};

/** One of those whose player answers after thirty seconds, longer than a read waits. */
export const slowVideo = ({ simulator }: TestSystem, n: number): string => {
  const videoId = fileVideo(n);
  simulator.faults.add({ match: { videoId, endpoint: 'player' }, fault: 'slow', latencyMs: 30_000 });
  return videoId;
};
