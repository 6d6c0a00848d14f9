import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { processEnvironment } from '@tds/servers';

/** A process of the benchmark: a peer, a load generator or a part under test. */
export type Helper = {
  readonly pid: number;
  ask<Answer>(name: string, argument?: unknown): Promise<Answer>;
} & AsyncDisposable;

type HelperRequest = { readonly id: number; readonly name: string; readonly argument: unknown };
type HelperAnswer = { readonly id: number; readonly result?: unknown; readonly error?: string };
// biome-ignore lint/suspicious/noExplicitAny: each handler knows what its own caller sends
type Handlers = Readonly<Record<string, (argument: any) => unknown>>;

const READY = 0;
const STOP_WITHIN_MS = 5_000;

/** The helper's own side: answers by name until its parent ends. */
export const serveHelper = (handlers: Handlers): void => {
  process.on('message', async ({ id, name, argument }: HelperRequest) => {
    try {
      process.send?.({ id, result: await handlers[name]?.(argument) });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? error.stack : String(error) });
    }
  });
  process.once('disconnect', () => process.exit());
  process.send?.({ id: READY });
};

const awaitExit = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/** Starts `helpers/<name>.ts` and waits until it serves. */
export async function startHelper(name: string, environment: NodeJS.ProcessEnv = {}): Promise<Helper> {
  const file = path.join(import.meta.dirname, '../helpers', `${name}.ts`);
  const env = { ...processEnvironment(), NODE_ENV: 'production', ...environment };
  const child = fork(file, { env, serialization: 'advanced', execPath: process.execPath, execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const expect = (id: number): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    return answer.promise;
  };
  child.on('message', ({ id, result, error }: HelperAnswer) => {
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(`${name}: ${error}`));
    waiting.delete(id);
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended with ${signal ?? code}`));
  });
  let last = READY;
  await expect(READY);
  return {
    pid: child.pid as number,
    ask: <Answer>(request: string, argument?: unknown) => {
      last += 1;
      const answer = expect(last) as Promise<Answer>;
      child.send({ id: last, name: request, argument });
      return answer;
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await awaitExit(child);
      clearTimeout(force);
    },
  };
}
