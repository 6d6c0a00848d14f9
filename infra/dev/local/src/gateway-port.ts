import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findListenError, freePort, writePrivate } from '@tds/servers';

const USUAL_PORT = 8080;
/** The end of the range beside the usual port. */
const LAST_NEARBY_PORT = 8099;
const HIGHEST_PORT = 65_535;

async function findNearbyPort(): Promise<number> {
  for (let port = USUAL_PORT + 1; port <= LAST_NEARBY_PORT; port += 1)
    if ((await findListenError(port)) === undefined) return port;
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
export async function chooseGatewayPort(portSetting: string | undefined): Promise<GatewayPort> {
  if (portSetting === undefined) {
    if ((await findListenError(USUAL_PORT)) === undefined) return { port: USUAL_PORT };
    const port = await findNearbyPort();
    return { port, notice: `Port ${USUAL_PORT} belongs to another program: the gateway is on port ${port}.` };
  }
  const port = Number(portSetting);
  if (!Number.isInteger(port) || port < 1 || port > HIGHEST_PORT)
    throw new Error(`PORT=${portSetting} is no port number`);
  const errorCode = await findListenError(port);
  if (errorCode) throw new Error(sentences[errorCode]?.(port) ?? `port ${port} cannot be had (${errorCode})`);
  return { port };
}

/** The parts around the services whose addresses people and databases keep: checkouts, receipts, webhooks. */
const names = ['platform', 'payment', 'mail', 'smtp', 'webhooks'] as const;
export type KeptPorts = Readonly<Record<(typeof names)[number], number>>;

const FILE = 'ports.json';

const readPorts = (file: string): Partial<KeptPorts> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<KeptPorts>) : {};

/** The ports of the last run, which are kept in the data. Replaces a port that another program has taken, and reports that by `onEvent`. */
export const keepPorts = async (dir: string, onEvent?: (line: string) => void): Promise<KeptPorts> => {
  const file = path.join(dir, FILE);
  const stored = readPorts(file);
  const choosePort = async (name: keyof KeptPorts): Promise<number> => {
    const previous = stored[name];
    if (previous !== undefined && (await findListenError(previous)) === undefined) return previous;
    const port = await freePort();
    if (previous !== undefined)
      onEvent?.(`${name}: another program has port ${previous}, so that it is on port ${port} from now on`);
    return port;
  };
  const ports = await Promise.all(names.map(async (name) => [name, await choosePort(name)] as const));
  const chosen = Object.fromEntries(ports) as KeptPorts;
  writePrivate(file, `${JSON.stringify(chosen, null, 2)}\n`);
  return chosen;
};
