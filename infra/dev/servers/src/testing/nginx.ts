import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findOrUnpack } from '../debian-packages.ts';
import { toolsDir } from '../paths.ts';
import { processEnvironment } from '../processes.ts';
import { answersOn, type RunningServer, type ServerOptions, startProgram } from '../running-server.ts';
import { isExecutable } from '../server-versions.ts';

const unpackedDir = path.join(toolsDir, 'nginx');

const find = (): string | undefined =>
  [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', path.join(unpackedDir, 'usr/sbin')]
    .filter(path.isAbsolute)
    .map((dir) => path.join(dir, 'nginx'))
    .find(isExecutable);

const findNginx = (): Promise<string> =>
  findOrUnpack(find, {
    ...{ label: 'nginx', packages: ['nginx'], dir: unpackedDir },
    install: 'sudo apt-get install nginx; the one on PATH is used',
  });

/** A worker of root's nginx would be nobody, who may not enter folders of root. */
const user = process.getuid?.() === 0 ? 'user root;\n' : '';

/** Where it writes, and the given server; all else are its defaults. */
const configuration = (dir: string, server: string): string => `${user}daemon off;
pid ${dir}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `  ${one}_temp_path ${dir}/${one};\n`).join('')}
${server}
}
`;

export type NginxOptions = Pick<ServerOptions, 'dir' | 'port'> & {
  /** The `server` block for the port. */
  readonly serverAt: (port: number) => string;
};

/** Starts nginx from PATH, or from Debian's package. Only the loopback interface reaches it. */
export const ensureNginx = async ({
  serverAt,
  ...options
}: NginxOptions): Promise<RunningServer & { readonly url: string }> => {
  const program = {
    ...{ name: 'nginx', command: await findNginx(), env: processEnvironment() },
    argsAt: (port: number, dir: string) => {
      const file = path.join(dir, 'nginx.conf');
      mkdirSync(path.join(dir, 'logs'), { recursive: true });
      writeFileSync(file, configuration(dir, serverAt(port)));
      return ['-p', dir, '-c', file, '-e', 'stderr'];
    },
    isReadyAt: (port: number) => answersOn(port, /^HTTP/, 'GET /v1/status HTTP/1.0\r\n\r\n'),
  };
  const server = await startProgram(program, options);
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}` });
};
