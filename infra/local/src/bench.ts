import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { workspaceRoot } from '@tds/servers';

/** Runs the benchmarks. They know the local run and not the other way round, so they are found by path. */
await import(pathToFileURL(path.join(workspaceRoot, 'bench/src/main.ts')).href);
