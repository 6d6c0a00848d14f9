export { leastCpuMs } from './cpu-time.ts';
export { evaluateFailures, failuresFile, noteFailure, readFailures } from './failed-files.ts';
export { proven } from './prove.ts';
