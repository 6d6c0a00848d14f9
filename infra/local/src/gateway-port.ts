import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '@tds/servers';

const USUAL_PORT = 8080;
/** The end of the range beside the usual port. */
const LAST_PORT_BESIDE = 8099;
const HIGHEST_PORT = 65_535;

/** The system's error code if this process cannot listen on the port; otherwise undefined. */
export async function whyNot(port: number): Promise<string | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  const refused = once(server, 'error').then(([error]) => String(error.code));
  const listening = once(server, 'listening').then(() => undefined);
  const why = await Promise.race([refused, listening]);
  server.close();
  return why;
}

async function portBeside(): Promise<number> {
  for (let port = USUAL_PORT + 1; port <= LAST_PORT_BESIDE; port += 1)
    if ((await whyNot(port)) === undefined) return port;
  return freePort();
}

const sentences: Readonly<Record<string, (port: number) => string>> = {
  EADDRINUSE: (port) => `port ${port} is in use: choose another with PORT=... npm start`,
  EACCES: (port) =>
    `this user is not allowed to listen on port ${port}: choose one from 1024 on with PORT=... npm start`,
};

export type GatewayPort = {
  readonly port: number;
  /** The warning for users who expect the usual port. */
  readonly notice?: string;
};

/** Chooses PORT if given, else 8080, else a port beside it. Throws if PORT is not available. */
export async function chooseGatewayPort(wanted: string | undefined): Promise<GatewayPort> {
  if (wanted === undefined) {
    if ((await whyNot(USUAL_PORT)) === undefined) return { port: USUAL_PORT };
    const port = await portBeside();
    return { port, notice: `Port ${USUAL_PORT} belongs to another program: the gateway is on port ${port}.` };
  }
  const port = Number(wanted);
  if (!Number.isInteger(port) || port < 1 || port > HIGHEST_PORT)
    throw new Error(`PORT=${wanted} is no port number`);
  const why = await whyNot(port);
  if (why) throw new Error(sentences[why]?.(port) ?? `port ${port} cannot be had (${why})`);
  return { port };
}
