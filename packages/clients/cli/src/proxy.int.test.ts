import { createServer, request as forward, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { run } from './run.ts';

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** A proxy as companies have them: it alone knows the service's name, and wants a password. */
const PASSWORD = `Basic ${Buffer.from('me:secret').toString('base64')}`;
const service = createServer((_request, response) =>
  response.end(JSON.stringify({ ok: true, status: 'operational', new_fetches: true })),
);
let ports: { readonly service: number; readonly proxy: number };
let seen: string[] = [];
const isLetIn = (authorization: string | undefined): boolean => authorization === PASSWORD;
const proxy = createServer((request, response) => {
  seen.push(`GET ${request.url}`);
  if (!isLetIn(request.headers['proxy-authorization'])) return response.writeHead(407).end('<h1>No</h1>');
  const options = { port: ports.service, path: new URL(String(request.url)).pathname };
  forward(options, (answer) => answer.pipe(response)).end();
}).on('connect', (request, socket) => {
  seen.push(`CONNECT ${request.url}`);
  if (!isLetIn(request.headers['proxy-authorization']))
    return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  const there = connect(ports.service, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    there.pipe(socket).pipe(there);
  });
});

beforeAll(async () => {
  ports = { service: await listen(service), proxy: await listen(proxy) };
});
beforeEach(() => {
  seen = [];
});
afterAll(() => {
  for (const server of [service, proxy]) server.close().closeAllConnections();
});

const status = async (baseUrl: string, env: Record<string, string>) => {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await run(['status'], {
    stdin: (async function* () {})(),
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    env: {
      XDG_CONFIG_HOME: '/nowhere',
      TRANSCRIPTS_API_KEY: 'svc_live_a',
      TRANSCRIPTS_BASE_URL: baseUrl,
      ...env,
    },
    signal: new AbortController().signal,
  });
  return { code, out: out.join(''), err: err.join('') };
};
const at = (user = ''): string => `http://${user}127.0.0.1:${ports.proxy}`;

describe('the command line behind a proxy', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('reaches by %s a service that only the proxy reaches', async (name) => {
    const { code, out } = await status('http://api.test', { [name]: at('me:secret@') });
    expect([code, out]).toEqual([0, 'operational: new transcripts are fetched\n']);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatch(/api\.test/);
  });

  it('says that the proxy refuses, once, and shows no password', async () => {
    const { code, err } = await status('https://api.test', { HTTPS_PROXY: at('me:wrong@') });
    expect(code).toBe(8);
    expect(err).toContain('HTTP 407');
    expect(err).toContain(`the proxy of HTTPS_PROXY (127.0.0.1:${ports.proxy})`);
    expect(err).not.toContain('wrong');
    expect(seen).toEqual(['CONNECT api.test:443']);
  });

  it('goes past the proxy to the hosts of NO_PROXY', async () => {
    const env = { HTTP_PROXY: at(), NO_PROXY: 'localhost,127.0.0.1' };
    expect((await status(`http://127.0.0.1:${ports.service}`, env)).code).toBe(0);
    expect(seen).toEqual([]);
  });
});
