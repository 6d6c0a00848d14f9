import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls `condition` every `everyMs` until it holds. Returns false if it does not hold within `withinMs`. */
export const holdsWithin = async (
  withinMs: number,
  condition: () => boolean | Promise<boolean>,
  everyMs = 20,
): Promise<boolean> => {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() > deadline) return false;
    await delay(everyMs);
  }
};

/** A file of a process below /proc. */
export const procFile = (pid: number | string, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // gone, or a system without /proc
  }
};

/** Fields of /proc/<pid>/stat behind the command's name, which may itself hold spaces and brackets. */
export const statFields = (pid: number | string): string[] =>
  procFile(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];

/** Whether a process of this id runs; a zombie does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return statFields(pid)[0] !== 'Z';
};

export const parentOf = (pid: number): number => Number(statFields(pid)[1] ?? 0);

/** Whether the process works on this folder: it is in its command line, or is its working directory. */
export const worksIn = (pid: number, dir: string): boolean => {
  if (procFile(pid, 'cmdline').includes(dir)) return true;
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${dir}/`);
  } catch {
    return false; // another user's process, or gone
  }
};

/** Sends a signal to a process that may be gone already. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

const threadsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `${pid}/task/${thread}`);
  } catch {
    return []; // gone, or a system without /proc
  }
};

const RUNS = ['R', 'S', 'D'];

/** Freezes a process, and returns when every thread has stopped. */
export const pauseProcess = (pid: number): void => {
  sendSignal(pid, 'SIGSTOP');
  while (threadsOf(pid).some((thread) => RUNS.includes(statFields(thread)[0] ?? ''))) {}
};

/** Ends a process, by force after `politeMs`. */
export const endProcess = async (pid: number, signal: NodeJS.Signals, politeMs = 10_000): Promise<void> => {
  sendSignal(pid, signal);
  if (await holdsWithin(politeMs, () => !isAlive(pid))) return;
  sendSignal(pid, 'SIGKILL');
  await holdsWithin(5_000, () => !isAlive(pid));
};

type EndOptions = { readonly signal?: NodeJS.Signals; readonly withinMs?: number };

/** Ends a child and waits until it is gone, by force after `withinMs`. */
export const endChild = async (
  child: ChildProcess,
  { signal = 'SIGTERM', withinMs = 15_000 }: EndOptions = {},
): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  sendSignal(child.pid, signal);
  const force = setTimeout(() => child.kill('SIGKILL'), withinMs);
  await gone;
  clearTimeout(force);
};

/** Where programs are, what is compiled already, and how the C library keeps memory: all that a command gives to its processes. */
const names = ['PATH', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_'];

/** What a process of ours takes from the environment of this one, and nothing else: its settings are what it is given. */
export const processEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs a command to its end. Resolves to its output; rejects with the output's tail if it fails. */
export const runCommand = ({ command, args, signal, ...options }: Command): Promise<string> =>
  new Promise((resolve, reject) => {
    // In a group of its own it does not get the terminal's Ctrl-C.
    const spawnOptions = { ...options, detached: true, ...(signal ? { signal } : {}) };
    const child = spawn(command, args, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ended with ${signal ?? code}: ${output.slice(-2000).trim()}`));
    });
  });
