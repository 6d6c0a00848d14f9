import { type ChildProcess, spawn } from 'node:child_process';

export interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
  /** Pass its output on at once, instead of after a failure. */
  readonly live?: boolean;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

export interface StepResult {
  readonly title: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
}

/** Signals the whole group, because wrappers pass no signal on. */
const endGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch {
    // It has just ended.
  }
};

/** Runs a command to its end. It never rejects: a command that cannot be started has failed. */
export const runStep = ({ title, command, args, env, cwd, signal, live = false }: Step): Promise<StepResult> =>
  new Promise((resolve) => {
    const start = performance.now();
    let output = '';
    const options = { env: { ...process.env, ...env }, cwd, detached: true };
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const onAbort = (): void => endGroup(child);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    const collect = (stream: NodeJS.WriteStream) => (chunk: Buffer) => {
      if (live) stream.write(chunk);
      else output += chunk;
    };
    child.stdout.on('data', collect(process.stdout));
    child.stderr.on('data', collect(process.stderr));
    const end = (passed: boolean) => {
      signal?.removeEventListener('abort', onAbort);
      resolve({ title, passed, seconds: (performance.now() - start) / 1000, output: output.trim() });
    };
    child.once('error', (error) => {
      output += error.message;
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });

/** One line per step, as in `✓ types  1.2 s`. */
export const summaryLine = ({ title, passed, seconds }: StepResult): string =>
  `${passed ? '✓' : '✗'} ${title.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s`;
