import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Gives the garbage of the start back to the system, in some 50 ms. The modules of a service, while they are compiled,
 * stretch the young generation to 64 MiB, and it would stay so for as long as little happens. Under load the heap grows
 * again in large steps: V8 takes the little that is left for what the process needs, and would otherwise run through the
 * whole heap after little work.
 */
export const returnMemory = (): void => {
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--semi-space-growth-factor=8');
  setFlagsFromString('--heap-growing-percent=200');
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' });
};
