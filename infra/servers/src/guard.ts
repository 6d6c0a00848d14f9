import { type ChildProcess, spawn } from 'node:child_process';

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
export const guardProcess = (pid: number, { signal, removeDir }: GuardOptions): (() => void) => {
  const guard: ChildProcess = spawn(
    '/bin/sh',
    ['-c', script, 'guard', String(pid), signal, removeDir ?? ''],
    {
      detached: true,
      cwd: '/',
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return () => void guard.kill('SIGKILL');
};
