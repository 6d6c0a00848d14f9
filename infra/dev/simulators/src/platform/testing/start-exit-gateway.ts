import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';

/** A random loopback address: Linux owns all of 127.0.0.0/8. */
const randomLoopback = (): string => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;

export type ExitGateway = {
  /** `host:port` for HTTP CONNECT. */
  readonly http: string;
  /** `host:port` for SOCKS 5 with user and password. */
  readonly socks: string;
  /** User names of all tunnels in their order; empty for one without. */
  readonly users: readonly string[];
  /** Instead of a tunnel, each client gets this; null: a tunnel again. */
  failWith(failure: ((client: Socket) => void) | null): void;
  close(): Promise<void>;
};

const readUser = ({ headers }: IncomingMessage): string => {
  const [, credentials = ''] = (headers['proxy-authorization'] ?? '').split(' ');
  return Buffer.from(credentials, 'base64').toString().split(':')[0] ?? '';
};

/** Reads exactly `length` bytes. */
const readBytes = async (socket: Socket, length: number): Promise<Buffer> => {
  for (;;) {
    const bytes = socket.read(length) as Buffer | null;
    if (bytes !== null) return bytes;
    await once(socket, 'readable');
  }
};

const SOCKS_DOMAIN = 3;

/** The handshake of a SOCKS 5 client with user and password, to a name or an IPv4 address. */
const acceptSocks = async (client: Socket): Promise<{ user: string; host: string; port: number }> => {
  const [, methods = 0] = await readBytes(client, 2);
  await readBytes(client, methods);
  client.write(Buffer.from([5, 2]));
  const [, userLength = 0] = await readBytes(client, 2);
  const user = (await readBytes(client, userLength)).toString();
  const [passwordLength = 0] = await readBytes(client, 1);
  if (passwordLength > 0) await readBytes(client, passwordLength);
  client.write(Buffer.from([1, 0]));
  const [, , , kind] = await readBytes(client, 4);
  const [nameLength = 0] = kind === SOCKS_DOMAIN ? await readBytes(client, 1) : [4];
  const name = await readBytes(client, nameLength);
  const host = kind === SOCKS_DOMAIN ? name.toString() : [...name].join('.');
  const port = (await readBytes(client, 2)).readUInt16BE();
  client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
  return { user, host, port };
};

/**
 * A seller's gateway of rotating proxies: tunnels of one user leave by one address, and tunnels without a user by another one each time.
 */
export const startExitGateway = async (): Promise<ExitGateway> => {
  const addressByUser = new Map<string, string>();
  const users: string[] = [];
  const clients = new Set<Socket>();
  let failure: ((client: Socket) => void) | null = null;
  const join = (client: Socket, user: string, host: string, port: number, onOpen: () => void) => {
    users.push(user);
    const address = (user !== '' && addressByUser.get(user)) || randomLoopback();
    addressByUser.set(user, address);
    const upstream = connect({ host, port, localAddress: address }, () => {
      onOpen();
      upstream.pipe(client).pipe(upstream);
    });
    const end = () => {
      upstream.destroy();
      client.destroy();
    };
    upstream.on('error', end).on('close', end);
    client.on('error', end).on('close', end);
  };
  const track = (client: Socket) => {
    clients.add(client);
    client.on('close', () => clients.delete(client)).on('error', () => client.destroy());
  };
  const proxy = createServer();
  proxy.on('connect', (request, client: Socket) => {
    track(client);
    if (failure !== null) return failure(client);
    const [host = '', port] = (request.url ?? '').split(':');
    join(client, readUser(request), host, Number(port), () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
  });
  const socks = createTcpServer((client) => {
    track(client);
    if (failure !== null) return failure(client);
    void acceptSocks(client).then(({ user, host, port }) => join(client, user, host, port, () => {}));
  });
  await Promise.all([proxy, socks].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
  const getAddress = (server: { address(): unknown }) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    http: getAddress(proxy),
    socks: getAddress(socks),
    users,
    failWith: (handler) => {
      failure = handler;
    },
    async close() {
      for (const client of clients) client.destroy();
      proxy.closeAllConnections();
      await Promise.all([proxy, socks].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
};
