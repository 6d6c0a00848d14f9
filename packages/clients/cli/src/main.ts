#!/usr/bin/env node
import { run } from './run.ts';

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`The output cannot be written: ${message}\n`);
  process.exit(1);
});

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  signal: interrupted.signal,
});
