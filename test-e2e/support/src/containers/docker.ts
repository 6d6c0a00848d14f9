import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const docker = async (...words: string[]): Promise<string> =>
  (await run('docker', words)).stdout.trim();

/** Of its last lives, as far as the engine keeps it. */
export const logsOf = async (container: string): Promise<string> => {
  const { stdout, stderr } = await run('docker', ['logs', container], { maxBuffer: MOST_LOGS });
  return stdout + stderr;
};
const MOST_LOGS = 256 * 1024 * 1024;

/** The plugin of today, or the program of yesterday. */
const composeCommand = async (): Promise<string[]> => {
  try {
    await docker('compose', 'version');
    return ['docker', 'compose'];
  } catch {
    return ['docker-compose'];
  }
};

export const runCompose = async (
  words: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> => {
  const [program = '', ...first] = await composeCommand();
  await run(program, [...first, ...words], options);
};

/** Of one container, in one network; empty if it is not in that. */
export const addressOf = (container: string, network: string): Promise<string> =>
  docker(
    'inspect',
    '--format',
    `{{with index .NetworkSettings.Networks "${network}"}}{{.IPAddress}}{{end}}`,
    container,
  );

export const processIdOf = (container: string): Promise<string> =>
  docker('inspect', '--format', '{{.State.Pid}}', container);
