import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '@tds/servers';

const USUAL_PORT = 8080;
const HIGHEST_PORT = 65_535;

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const taken = once(server, 'error').then(() => false);
  const listening = once(server, 'listening').then(() => true);
  const free = await Promise.race([taken, listening]);
  server.close();
  return free;
}

/** Where the gateway will listen: PORT if given, else 8080, else a free port. Throws where PORT cannot be had. */
export async function chooseGatewayPort(wanted: string | undefined): Promise<number> {
  if (wanted === undefined) return (await isFree(USUAL_PORT)) ? USUAL_PORT : await freePort();
  const port = Number(wanted);
  if (!Number.isInteger(port) || port < 1 || port > HIGHEST_PORT)
    throw new Error(`PORT=${wanted} is no port number`);
  if (!(await isFree(port)))
    throw new Error(`port ${port} is in use: choose another with PORT=... npm start`);
  return port;
}
