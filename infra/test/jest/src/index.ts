export { leastCpuMs } from './cpu-time.ts';
export {
  evaluateFailures,
  type Failure,
  failuresFile,
  noteFailure,
  type Outcome,
  readFailures,
} from './failed-files.ts';
export { proven } from './prove.ts';
export { createStepCounter } from './steps.ts';
