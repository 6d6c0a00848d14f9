import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { turboStep } from './turbo-step.ts';

/** Turbo itself, with what `npm test` gives it: npm run turbo -- run test --filter=@tds/identity */
const { command, args, env } = turboStep('turbo', process.argv.slice(2));
const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => {
  process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1);
});
