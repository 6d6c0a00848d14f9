import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Failure, readFailures } from '@tds/jest';
import { jestStep } from './jest-step.ts';
import type { Step, StepResult } from './run-step.ts';

const RUNS = 20;
const BUSY_LOOPS = 8;

/** Busy until it is killed, or its parent is gone. */
const BUSY_LOOP = 'const parent = process.ppid; while (process.ppid === parent);';

const startBusyLoops = (): ChildProcess[] =>
  Array.from({ length: BUSY_LOOPS }, () => spawn(process.execPath, ['-e', BUSY_LOOP], { stdio: 'ignore' }));

const end = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const lateTimers = path.join(import.meta.dirname, '../late-timers.mjs');

/** Every second run is disturbed; of each kind, every second one has four workers. */
const circumstancesOf = (run: number) => {
  const isDisturbed = run % 2 === 0;
  const workers = run % 4 < 2 ? '1' : '4';
  const disturbance = {
    TDS_TEST_SHUFFLE: `${run}`,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${lateTimers}`,
  };
  return {
    isDisturbed,
    title: `${isDisturbed ? `${BUSY_LOOPS} busy loops, late timers, shuffled files` : 'in peace'}, workers: ${workers}`,
    env: { TDS_TEST_WORKERS: workers, ...(isDisturbed ? disturbance : {}) },
  };
};

const namesOf = ({ file, titles }: Failure): readonly string[] => {
  if (file === null) return titles;
  return titles.length === 0 ? [file] : titles.map((title) => `${file}: ${title}`);
};

type Options = {
  readonly run: (step: Step) => Promise<StepResult>;
  readonly signal: AbortSignal;
  readonly runs?: number;
  readonly cwd?: string;
};

/** Runs what Jest's arguments name again and again, half of the time disturbed. Resolves to how often each title failed. */
export const countFailures = async (
  args: readonly string[],
  { run, signal, runs = RUNS, cwd }: Options,
): Promise<ReadonlyMap<string, number>> => {
  using dir = mkdtempDisposableSync(path.join(tmpdir(), 'tds-steady-'));
  const failures = path.join(dir.path, 'failures');
  const counts = new Map<string, number>();
  for (let number = 1; number <= runs && !signal.aborted; number += 1) {
    const { isDisturbed, title, env } = circumstancesOf(number);
    writeFileSync(failures, '');
    const busyLoops = isDisturbed ? startBusyLoops() : [];
    const step = jestStep(title, args, { cwd, env: { ...env, TDS_TEST_FAILURES: failures } });
    const { passed, seconds, output } = await run({ ...step, live: false });
    await Promise.all(busyLoops.map(end));
    console.log(`${passed ? '✓' : '✗'} ${number} of ${runs}, ${title}: ${seconds.toFixed(1)} s`);
    if (!passed) console.log(output.replaceAll(/^/gm, '  '));
    const names = readFailures(failures).flatMap(namesOf);
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
};

/** Says how often each title failed; resolves to whether none did. */
export const proveSteady = async (args: readonly string[], options: Options): Promise<boolean> => {
  const counts = await countFailures(args, options);
  if (options.signal.aborted) return false;
  for (const [name, count] of counts) console.log(`FAILED ${count} of ${RUNS}: ${name}`);
  if (counts.size === 0) console.log(`Passed ${RUNS} of ${RUNS}.`);
  return counts.size === 0;
};
