import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { holdsWithin } from './wait.ts';

const procFile = (pid: number | string, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // gone, or a system without /proc
  }
};

/** Fields of /proc/<pid>/stat behind the command's name, which may itself hold spaces and brackets. */
const statFields = (pid: number | string): string[] =>
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
