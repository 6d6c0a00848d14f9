import type { Step } from './run-step.ts';
import { turboStep } from './turbo-step.ts';

const checks = ['check:types', 'check:lint', 'check:boundaries', 'check:generated', 'check:shape'];

/** The checks that do not run the sources. Turbo skips unchanged ones. */
export const staticChecks: Step = {
  ...turboStep('checks', [
    ...['run', ...checks, '--filter=//'],
    ...['--output-logs=errors-only', '--continue=always'],
  ]),
  live: true,
};
