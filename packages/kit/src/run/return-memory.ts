import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Returns the garbage of the start to the system, in about 50 ms. Compiling the modules of a service grows the young
 * generation to 64 MiB, which an idle process would keep. The larger growth steps keep V8 from collecting the whole heap
 * too often under load.
 */
export const returnMemory = (): void => {
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--semi-space-growth-factor=8');
  setFlagsFromString('--heap-growing-percent=200');
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' });
};
