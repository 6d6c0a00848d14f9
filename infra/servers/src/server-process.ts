import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { guardProcess } from './guard.ts';
import { holdsWithin } from './wait.ts';

export interface ServerSpec {
  readonly name: string;
  /** The server's own folder, with its log and its state file. */
  readonly dir: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  readonly isReady: () => Promise<boolean>;
  readonly readyWithinMs: number;
  /** Remove the folder if the parent dies without stopping the server. */
  readonly throwaway: boolean;
}

export interface ServerState {
  readonly pid: number;
  readonly parentPid: number;
}

export const stateFileOf = (dir: string): string => path.join(dir, 'server.json');
const logFileOf = (dir: string): string => path.join(dir, 'server.log');
const logTail = (dir: string): string => readFileSync(logFileOf(dir), 'utf8').slice(-2000).trim();

const spawnServer = (spec: ServerSpec): ChildProcess => {
  const log = openSync(logFileOf(spec.dir), 'w', 0o600);
  const { command, args, env, uid, gid } = spec;
  const user = uid === undefined ? {} : { uid, gid };
  // In a group of its own, a server does not get the terminal's Ctrl-C, and can be stopped in order.
  const child = spawn(command, args, {
    cwd: spec.dir,
    env,
    ...user,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  return child;
};

/** Starts the server and waits until it answers. Throws the tail of its log if it ends before that. */
export const launchServer = async (spec: ServerSpec): Promise<ChildProcess> => {
  const child = spawnServer(spec);
  let failure: string | undefined;
  child.once('error', (error) => {
    failure = error.message;
  });
  if (child.pid === undefined) {
    await holdsWithin(1_000, () => failure !== undefined);
    throw new Error(`${spec.name} does not start: ${failure}`);
  }
  const signal = spec.stopSignal === 'SIGINT' ? 'INT' : 'TERM';
  const dismiss = guardProcess(child.pid, { signal, removeDir: spec.throwaway ? spec.dir : undefined });
  child.once('exit', (code, by) => {
    failure = `ended with ${by ?? code}`;
    dismiss();
    rmSync(stateFileOf(spec.dir), { force: true });
  });
  const state: ServerState = { pid: child.pid, parentPid: process.pid };
  writeFileSync(stateFileOf(spec.dir), JSON.stringify(state), { mode: 0o600 });
  const ready = await holdsWithin(
    spec.readyWithinMs,
    async () => failure !== undefined || (await spec.isReady()),
  );
  if (ready && failure === undefined) return child;
  child.kill('SIGKILL');
  throw new Error(`${spec.name} does not start (${failure ?? 'no answer'}): ${logTail(spec.dir)}`);
};
