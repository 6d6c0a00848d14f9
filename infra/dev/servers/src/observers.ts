import { existsSync } from 'node:fs';
import path from 'node:path';
import { findPrometheus } from './find-server.ts';
import { processEnvironment } from './processes.ts';
import { type Program, type RunningServer, type ServerOptions, startProgram } from './running-server.ts';
import { isExecutable } from './server-versions.ts';

export type ObserverOptions = Pick<ServerOptions, 'dir' | 'port'>;

export type RunningObserver = RunningServer & { readonly url: string };

type Observer = Pick<Program, 'name' | 'command' | 'argsAt' | 'envAt'> & {
  /** The path that succeeds as soon as it is ready. */
  readonly readyAt: string;
};

const run = async ({ readyAt, ...observer }: Observer, options: ObserverOptions): Promise<RunningObserver> => {
  const isReadyAt = (port: number): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}${readyAt}`).then(
      ({ ok }) => ok,
      () => false, // not listening yet
    );
  const { dir, port } = options;
  const program = { ...observer, env: processEnvironment(), isReadyAt };
  const server = await startProgram(program, { dir, port });
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}` });
};

/** Starts Prometheus with this configuration. Only the loopback interface reaches it. */
export const ensurePrometheus = async (
  options: ObserverOptions & { readonly configFile: string },
): Promise<RunningObserver> => {
  const { prometheus: command } = await findPrometheus();
  return run(
    {
      name: 'Prometheus',
      command,
      readyAt: '/-/ready',
      argsAt: (port, dir) => [
        `--config.file=${options.configFile}`,
        `--storage.tsdb.path=${path.join(dir, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
    },
    options,
  );
};

/** Where the packages of its makers put what it reads. */
const GRAFANA_HOME = '/usr/share/grafana';

const grafanaCommand = (): string | undefined =>
  [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', `${GRAFANA_HOME}/bin`]
    .filter(path.isAbsolute)
    .map((dir) => path.join(dir, 'grafana'))
    .find(isExecutable);

/** Starts Grafana if it is installed, readable for all users of this machine; null if it is not installed. */
export const ensureGrafana = async (
  options: ObserverOptions & { readonly provisioning: string; readonly env: NodeJS.ProcessEnv },
): Promise<RunningObserver | null> => {
  const command = grafanaCommand();
  const home = process.env.GRAFANA_HOME ?? GRAFANA_HOME;
  if (!command || !existsSync(home)) return null;
  return run(
    {
      name: 'Grafana',
      command,
      readyAt: '/api/health',
      argsAt: () => ['server', '--homepath', home],
      envAt: (port, dir) => ({
        GF_SERVER_HTTP_ADDR: '127.0.0.1',
        GF_SERVER_HTTP_PORT: String(port),
        GF_PATHS_DATA: path.join(dir, 'data'),
        GF_PATHS_LOGS: dir,
        GF_PATHS_PROVISIONING: options.provisioning,
        GF_AUTH_ANONYMOUS_ENABLED: 'true',
        GF_AUTH_BASIC_ENABLED: 'false',
        GF_AUTH_DISABLE_LOGIN_FORM: 'true',
        GF_ANALYTICS_REPORTING_ENABLED: 'false',
        GF_ANALYTICS_CHECK_FOR_UPDATES: 'false',
        ...options.env,
      }),
    },
    options,
  );
};
