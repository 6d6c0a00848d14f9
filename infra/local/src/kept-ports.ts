import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, writePrivate } from '@tds/servers';
import { whyNot } from './gateway-port.ts';

/** The parts around the services whose addresses people and databases keep: checkouts, receipts, webhooks. */
const names = ['platform', 'payment', 'mail', 'smtp', 'webhooks'] as const;
export type KeptPorts = Readonly<Record<(typeof names)[number], number>>;

const FILE = 'ports.json';

const readKept = (file: string): Partial<KeptPorts> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<KeptPorts>) : {};

/** The ports of the last run, which are kept in the data. Replaces a port that another program has taken, and reports that by `onEvent`. */
export const keepPorts = async (dir: string, onEvent?: (line: string) => void): Promise<KeptPorts> => {
  const file = path.join(dir, FILE);
  const kept = readKept(file);
  const portOf = async (name: keyof KeptPorts): Promise<number> => {
    const before = kept[name];
    if (before !== undefined && (await whyNot(before)) === undefined) return before;
    const port = await freePort();
    if (before !== undefined)
      onEvent?.(`${name}: another program has port ${before}, so that it is on port ${port} from now on`);
    return port;
  };
  const ports = await Promise.all(names.map(async (name) => [name, await portOf(name)] as const));
  const chosen = Object.fromEntries(ports) as KeptPorts;
  writePrivate(file, `${JSON.stringify(chosen, null, 2)}\n`);
  return chosen;
};
