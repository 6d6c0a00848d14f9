import { readFileSync } from 'node:fs';
import { ApiError, ConnectionError, TranscriptsError } from '@transcript-delivery/sdk';
import { remedies } from '@transcript-delivery/sdk/remedies';
import { Argument, Command, CommanderError } from 'commander';
import { completionScript, completions, manualPage, shells } from './command-tree.ts';
import { addAccount } from './commands/account.ts';
import { addJobs } from './commands/jobs.ts';
import { addLibrary } from './commands/library.ts';
import { addLinks } from './commands/links.ts';
import { addMonitors } from './commands/monitors.ts';
import { addReading } from './commands/reading.ts';
import { addReceivers } from './commands/receivers.ts';
import { addRequests } from './commands/requests.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { Context, type Io, NotSignedIn, printable, WrongSetting } from './context.ts';
import { exitCodes } from './generated/exit-codes.ts';
import { collectReasons, proxyNote } from './proxy.ts';

const WRONG_USE = exitCodes.InvalidInput;
const INTERRUPTED = 130;
const OTHER = 1;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const manual = {
  'EXIT STATUS':
    '0 success, 1 other failure, 2 wrong input, 3 credential, 4 credits, 5 no captions, 6 unavailable, 7 quota, 8 try again, 9 a fault of the service, 130 interrupted.',
  ENVIRONMENT:
    'TRANSCRIPTS_API_KEY and TRANSCRIPTS_BASE_URL come before what login keeps. TRANSCRIPTS_WEBHOOK_SECRET is the secret for webhooks listen. HTTPS_PROXY, HTTP_PROXY and NO_PROXY name the proxy, and hosts that need none.',
  FILES: '$XDG_CONFIG_HOME/transcripts/config.json keeps the key, readable by you only.',
};

const addSelf = (program: Command, { io }: Context): void => {
  program
    .command('completion')
    .description('print a script that completes commands in a shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: string) => void io.stdout.write(completionScript(program, shell)));
  program
    .command('man')
    .description('print the manual page')
    .action(() => void io.stdout.write(manualPage(program, manual)));
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => void io.stdout.write(`${completions(program, words).join('\n')}\n`));
};

/** The command as a tree of commander. */
const createProgram = (io: Io): { program: Command; context: Context } => {
  const program = new Command('transcripts')
    .description('transcripts of videos in a terminal')
    .option('--json', 'print one JSON value, also for errors')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    });
  const context = new Context(io, program);
  for (const add of [
    ...[addReading, addLibrary, addLinks, addJobs, addMonitors, addReceivers],
    ...[addAccount, addRequests, addWebhooks, addSelf],
  ])
    add(program, context);
  return { program, context };
};

const findExitCode = (error: unknown): number => {
  if (error instanceof ApiError) return exitCodes[error.errorClass] ?? OTHER;
  if (error instanceof ConnectionError) return exitCodes.UpstreamError;
  if (error instanceof WrongSetting) return WRONG_USE;
  return error instanceof NotSignedIn ? exitCodes.Forbidden : OTHER;
};

/** What to do next, and how to name the failure to support. */
const describeRemedy = ({ code, requestId, docsUrl }: ApiError): string => {
  const remedy = remedies[code];
  return `${remedy ? `\n${remedy}` : ''}\n  ${code}, request ${requestId}\n  ${docsUrl}`;
};

/** A lost connection with its reason, and with the proxy, which may be the one that refuses. */
const describeError = (error: unknown, { env }: Io): string => {
  if (!(error instanceof ConnectionError)) return error instanceof Error ? error.message : String(error);
  return collectReasons(error).join(': ') + proxyNote(env);
};

/** Prints what went wrong: the envelope with --json, else a sentence with where to read on. */
const printFailure = (context: Context, error: unknown): void => {
  const { isJson, io } = context;
  const message = describeError(error, io);
  const body = error instanceof ApiError ? error.body : { ok: false, message };
  const hint = error instanceof ApiError ? describeRemedy(error) : '';
  if (isJson) context.print(body, '');
  else io.stderr.write(`${printable(message + hint)}\n`);
};

/** Runs the command line with these words. Resolves to its exit code. */
export const run = async (words: readonly string[], io: Io): Promise<number> => {
  const { program, context } = createProgram(io);
  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has printed what it is about.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USE;
    if (io.signal.aborted) return INTERRUPTED;
    if (!isExpected(error)) throw error;
    printFailure(context, error);
    return findExitCode(error);
  }
};

const isExpected = (error: unknown): boolean =>
  [TranscriptsError, NotSignedIn, WrongSetting].some((kind) => error instanceof kind) || isOfSystem(error);

/** Such as a file that cannot be written. */
const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
