import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endProcess, holdsWithin, isAlive, parentOf, worksIn } from './processes.ts';

/** Waits on a pipe that only its parent holds: when the parent dies, the pipe ends, and the guard ends the server. */
const script = `
read -r _
kill -s "$2" "$1" 2>/dev/null
turn=0
while kill -0 "$1" 2>/dev/null && [ "$turn" -lt 50 ]; do turn=$((turn + 1)); sleep 0.1; done
kill -s KILL "$1" 2>/dev/null
[ -n "$3" ] && rm -rf -- "$3"
exit 0
`;

export interface GuardOptions {
  readonly signal: 'INT' | 'TERM';
  /** A folder to remove if the guard had to act. */
  readonly removeDir?: string | undefined;
}

/** Ends the process when this one dies. Returns the function that dismisses the guard. */
export const endWithParent = (pid: number, { signal, removeDir }: GuardOptions): (() => void) => {
  const guard: ChildProcess = spawn('/bin/sh', ['-c', script, 'guard', String(pid), signal, removeDir ?? ''], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return () => void guard.kill('SIGKILL');
};

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
  /** Remove the folder if the parent dies without stopping the server. */
  readonly throwaway: boolean;
}

interface ServerState {
  readonly pid: number;
  readonly parentPid: number;
}

const stateFileOf = (dir: string): string => path.join(dir, 'server.json');
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

/** Of a server that lives and does not answer: on a busy machine, or with much to recover, it takes minutes. */
const READY_WITHIN_MS = 300_000;

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
  const dismiss = endWithParent(child.pid, { signal, removeDir: spec.throwaway ? spec.dir : undefined });
  child.once('exit', (code, by) => {
    failure = `ended with ${by ?? code}`;
    dismiss();
    rmSync(stateFileOf(spec.dir), { force: true });
  });
  const state: ServerState = { pid: child.pid, parentPid: process.pid };
  writeFileSync(stateFileOf(spec.dir), JSON.stringify(state), { mode: 0o600 });
  const isDecided = async () => failure !== undefined || (await spec.isReady());
  const ready = await holdsWithin(READY_WITHIN_MS, isDecided);
  if (ready && failure === undefined) return child;
  child.kill('SIGKILL');
  throw new Error(
    `${spec.name} does not start (${failure ?? 'no answer within five minutes'}): ${logTail(spec.dir)}`,
  );
};

const readState = (dir: string): ServerState | undefined => {
  try {
    return JSON.parse(readFileSync(stateFileOf(dir), 'utf8')) as ServerState;
  } catch {
    return undefined; // never started, or stopped in order
  }
};

/**
 * Ends the server that an earlier run left behind in this folder. Throws if that run still lives: two servers
 * on one folder would destroy each other's data.
 */
export const endStaleServer = async (name: string, dir: string, signal: NodeJS.Signals): Promise<void> => {
  const state = readState(dir);
  if (!state) return;
  if (isAlive(state.pid) && worksIn(state.pid, dir)) {
    if (parentOf(state.pid) === state.parentPid) {
      throw new Error(`${name} already runs for process ${state.parentPid} on ${dir}: stop that one first`);
    }
    await endProcess(state.pid, signal);
  }
  rmSync(stateFileOf(dir), { force: true });
};
