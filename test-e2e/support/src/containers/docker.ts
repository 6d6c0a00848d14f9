import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const docker = async (...words: string[]): Promise<string> => (await run('docker', words)).stdout.trim();

/** Of its last lives, as far as the engine keeps it. */
export const readLogs = async (container: string): Promise<string> => {
  const { stdout, stderr } = await run('docker', ['logs', container], { maxBuffer: MAX_LOGS });
  return stdout + stderr;
};
const MAX_LOGS = 256 * 1024 * 1024;

/** If the program of yesterday is not there, its name stands for the plugin of today. */
const COMPOSE = 'command -v docker-compose > /dev/null || docker-compose() { docker compose "$@"; }';

/** Runs lines of a shell, as operators do. Rejects with what they wrote if one of them fails. */
export const runShell = async (lines: string, env: NodeJS.ProcessEnv, cwd: string): Promise<void> => {
  await run('bash', ['--norc', '-euo', 'pipefail', '-c', `${COMPOSE}\n${lines}`], {
    cwd,
    env,
    maxBuffer: MAX_LOGS,
  });
};

/** Of one container, in one network; empty if it is not in that. */
export const findAddress = (container: string, network: string): Promise<string> =>
  docker(
    'inspect',
    '--format',
    `{{with index .NetworkSettings.Networks "${network}"}}{{.IPAddress}}{{end}}`,
    container,
  );

export const findProcessId = (container: string): Promise<string> =>
  docker('inspect', '--format', '{{.State.Pid}}', container);
