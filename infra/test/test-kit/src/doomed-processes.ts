import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { processEnvironment } from '@tds/servers';
import { type Bound, eventually } from '@tds/servers/testing';

const TIMEOUT: Bound = { everyMs: 50 };

/** A service as processes of its own, which die at given crash points. */
export const doomedProcesses = (program: string, settings: () => NodeJS.ProcessEnv) => {
  const children: ChildProcess[] = [];
  /** Without a crash point it lives until `stop`. */
  const launch = (crashAt?: string): ChildProcess => {
    const processSettings = { HEALTH_PORT: '0', NODE_ENV: 'test', ...(crashAt && { CRASH_AT: crashAt }) };
    const env = { ...processEnvironment(), ...settings(), ...processSettings };
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit'], env });
    children.push(child);
    return child;
  };
  return {
    launch,
    /** Does the work until the process is dead. Its answer does not count; what died with it is never answered. */
    dieAt: async (crashAt: string, work: () => Promise<unknown> = async () => {}): Promise<void> => {
      const child = launch(crashAt);
      const death = once(child, 'exit');
      await eventually(async () => {
        await Promise.race([work().catch(() => {}), death]);
        if (child.signalCode !== 'SIGKILL') throw new Error(`${program} has not died at ${crashAt}`);
      }, TIMEOUT);
    },
    stop: (): void => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
};
