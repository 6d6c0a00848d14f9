import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { processEnvironment } from '@tds/servers';
import { type Bound, eventually } from '@tds/servers/testing';

const TIMEOUT: Bound = { everyMs: 50 };

/** Of a process whose standard error is a pipe: resolves to the crash point at which it killed itself, or to how it ended else. */
export const awaitDeath = async (child: ChildProcess): Promise<string> => {
  child.stderr?.pipe(process.stderr, { end: false });
  const [said, [code, signal]] = await Promise.all([
    child.stderr ? text(child.stderr) : '',
    once(child, 'exit'),
  ]);
  return /^killed itself at (\S+)$/m.exec(said)?.[1] ?? `its end by ${signal ?? code}`;
};

/** A service as processes of its own, which die at given crash points. */
export const doomedProcesses = (program: string, settings: () => NodeJS.ProcessEnv) => {
  const children: ChildProcess[] = [];
  /** Without a crash point it lives until `stop`. */
  const launch = (crashAt?: string): ChildProcess => {
    const processSettings = { HEALTH_PORT: '0', NODE_ENV: 'test', ...(crashAt && { CRASH_AT: crashAt }) };
    const env = { ...processEnvironment(), ...settings(), ...processSettings };
    const stderr = crashAt ? 'pipe' : 'inherit';
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', stderr], env });
    children.push(child);
    return child;
  };
  return {
    launch,
    /**
     * Does the work until the process is dead. Its answer does not count; what died with it is never answered. `crashAt` names the
     * point and what the process handles there, as `transaction-committed:create-key`: a death at another place fails the test.
     */
    dieAt: async (crashAt: string, work: () => Promise<unknown> = async () => {}): Promise<void> => {
      const child = launch(crashAt);
      let place: string | undefined;
      const death = awaitDeath(child).then((at) => {
        place = at;
      });
      await eventually(async () => {
        const answer = work().then(
          () => 'its work was done',
          (error: unknown) => `its work failed: ${error}`,
        );
        const answered = await Promise.race([answer, death]);
        if (place === undefined) throw new Error(`${program} has not died at ${crashAt}; ${answered}`);
      }, TIMEOUT);
      if (place !== crashAt) throw new Error(`${program} met ${place} instead of ${crashAt}`);
    },
    stop: (): void => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
};
