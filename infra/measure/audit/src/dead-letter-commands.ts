import { type DeadLetter, dropDeadLetter, listDeadLetters, replayDeadLetter } from '@tds/messaging/admin';

type Queries = Parameters<typeof listDeadLetters>[0];

/** Runs something on a service's database, as its administrator. */
export type OnDatabase = <T>(service: string, use: (database: Queries) => Promise<T>) => Promise<T>;

type System = { readonly services: readonly string[]; readonly on: OnDatabase };

const USAGE = `Usage:
  npm run dead-letters -- list               what was given up, newest first
  npm run dead-letters -- show SERVICE/ID    one of them, with its payload
  npm run dead-letters -- replay SERVICE/ID  gives it all its attempts again
  npm run dead-letters -- purge SERVICE/ID   deletes it: this work will never be done`;

const line = (service: string, { id, kind, source, attempts, createdAt, reason }: DeadLetter): string =>
  `${service}/${id}  ${createdAt.toISOString()}  ${kind} ${source}, ${attempts} attempts: ${reason}`;

const list = async ({ services, on }: System): Promise<string> => {
  const lines = await Promise.all(
    services.map((service) =>
      on(service, async (database) => (await listDeadLetters(database)).map((letter) => line(service, letter))),
    ),
  );
  return lines.flat().join('\n') || 'Nothing was given up.';
};

const find = async ({ on }: System, service: string, id: string): Promise<DeadLetter> => {
  const letters = await on(service, (database) => listDeadLetters(database, { limit: 10_000 }));
  const letter = letters.find((one) => one.id === id);
  if (!letter) throw new Error(`${service} has no open dead letter ${id}`);
  return letter;
};

/** Does what the words of the command line say; resolves to what to show, throws why not. */
export const deadLetterCommand = async (
  system: System,
  [verb = '', name = '']: readonly string[],
): Promise<string> => {
  if (verb === 'list') return list(system);
  const [service = '', id = ''] = name.split('/');
  if (!['show', 'replay', 'purge'].includes(verb) || id === '') throw new Error(USAGE);
  if (!system.services.includes(service)) {
    throw new Error(`There is no service ${service}; there are ${system.services.join(', ')}`);
  }
  const letter = await find(system, service, id);
  if (verb === 'show') return `${line(service, letter)}\n${JSON.stringify(letter.payload, null, 2)}`;
  if (verb === 'replay') {
    await system.on(service, (database) => replayDeadLetter(database, id));
    return `${name} is tried again.`;
  }
  await system.on(service, (database) => dropDeadLetter(database, id));
  return `${name} is forgotten.`;
};
