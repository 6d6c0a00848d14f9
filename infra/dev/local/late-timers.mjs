// Makes the timers of a process late by up to 50 ms, as they are on a busy machine: `npm test -- --steady` preloads it.
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promises from 'node:timers/promises';
import { promisify } from 'node:util';

const LATEST_MS = 50;
const late = (ms = 1) => Number(ms) + Math.random() * LATEST_MS;

const { setTimeout } = timers;
const lateTimeout = (work, ms, ...args) => setTimeout(work, late(ms), ...args);
const { setTimeout: wait } = promises;
promises.setTimeout = (ms, ...args) => wait(late(ms), ...args);
lateTimeout[promisify.custom] = promises.setTimeout;
timers.setTimeout = lateTimeout;
globalThis.setTimeout = lateTimeout;
syncBuiltinESMExports();
