import path from 'node:path';
import { findNode24 } from './node.mjs';
import { inTools } from './places.mjs';

/** The user's database settings would reach every client; tools send no telemetry. */
export const environment = () => {
  const kept = Object.entries(process.env).filter(([name]) => !/^PG[A-Z]+$/.test(name));
  const PATH = [path.dirname(findNode24() ?? process.execPath), process.env.PATH].join(path.delimiter);
  const quiet = {
    DO_NOT_TRACK: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  };
  // With its types stripped and compiled, a source is not compiled again: every process starts sooner and smaller.
  const cache = { NODE_COMPILE_CACHE: inTools('compile-cache'), XDG_CACHE_HOME: inTools('cache') };
  // Two heaps of the C library for all threads of a process, not up to eight per core, and what is freed at their ends goes back.
  const memory = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
  return { ...memory, ...Object.fromEntries(kept), ...quiet, ...cache, PATH };
};
