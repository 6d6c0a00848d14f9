export { leastCpuMs } from './cpu-time.ts';
export { proven } from './prove.ts';
