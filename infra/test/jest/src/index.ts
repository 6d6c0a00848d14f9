export { leastCpuMs } from './cpu-time.ts';
export { proven } from './prove.ts';
export { evaluateFailures, failuresFile, readFailures } from './failed-files.ts';
