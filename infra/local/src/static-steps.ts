import type { Step } from './run-step.ts';
import { turboStep } from './turbo-step.ts';

const checks = ['check:types', 'check:lint', 'check:boundaries', 'check:generated', 'check:shape'];

/** What can be said about the sources without running them; what has not changed since is not checked again. */
export const staticChecks: Step = {
  ...turboStep('checks', [
    ...['run', ...checks, '--filter=//'],
    ...['--output-logs=errors-only', '--continue=always'],
  ]),
  live: true,
};
