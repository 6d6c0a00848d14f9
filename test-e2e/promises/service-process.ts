import { type ChildProcess, spawn } from 'node:child_process';
import { toProcessSpec } from '@tds/local';
import { freePort, processEnvironment } from '@tds/servers';
import { awaitDeath, eventually } from '@tds/test-kit';
import type { TestSystem } from '#support/testing';

/** A service of a test system as a process of its own, to be killed. */
export type OwnProcess = {
  /** Resolves when it is dead. Rejects if it was to die at a crash point and has died elsewhere. */
  readonly dead: Promise<unknown>;
  kill(): Promise<unknown>;
};

const running = new Set<ChildProcess>();

const launch = async (system: TestSystem, service: string, crashAt: string | undefined) => {
  const port = await freePort();
  const environment = {
    ...processEnvironment(),
    NODE_ENV: 'test',
    ...system.environmentOf[service],
    ...(crashAt === undefined ? {} : { CRASH_AT: crashAt }),
  };
  const { command, args, env } = toProcessSpec({ service, name: `${service}-own` }, environment, port);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  running.add(child);
  const dead = awaitDeath(child).then((place) => {
    running.delete(child);
    if (crashAt !== undefined && !`${place}:`.startsWith(`${crashAt}:`))
      throw new Error(`${service} met ${place} instead of ${crashAt}`);
  });
  // Of one that is killed at the end of a test.
  dead.catch(() => {});
  return { port, child, dead };
};

/** Starts it to kill itself at a point between two commits, which may come before it answers. */
export const startDying = async (
  system: TestSystem,
  service: string,
  crashAt: string,
): Promise<Pick<OwnProcess, 'dead'>> => launch(system, service, crashAt);

/**
 * Starts it and waits until it answers. With `crashAt` it kills itself at that point between two commits; if work of other files
 * meets the point first, it is started again.
 */
export const startProcess = async (
  system: TestSystem,
  service: string,
  crashAt?: string,
): Promise<OwnProcess> => {
  let launched = await launch(system, service, crashAt);
  await eventually(async () => {
    if (crashAt !== undefined && !running.has(launched.child))
      launched = await launch(system, service, crashAt);
    expectReady(await fetch(`http://127.0.0.1:${launched.port}/ready`));
  });
  const { child, dead } = launched;
  return {
    dead,
    kill: () => {
      child.kill('SIGKILL');
      return dead;
    },
  };
};

const expectReady = ({ ok }: Response): void => {
  if (!ok) throw new Error('it is not ready yet');
};

/** For the end of a test, however it ended. */
export const killProcesses = (): void => {
  for (const child of running) child.kill('SIGKILL');
};
