export { leastCpuMs } from './cpu-time.ts';
export { describeProves, itProves, proven } from './prove.ts';
