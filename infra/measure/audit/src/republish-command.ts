import { republishSince } from '@tds/messaging/admin';

type Queries = Parameters<typeof republishSince>[0];

type System = {
  readonly services: readonly string[];
  /** Runs something on a service's database, as its administrator. */
  readonly on: <T>(service: string, use: (database: Queries) => Promise<T>) => Promise<T>;
};

/** A day, or a moment with its zone: `2026-11-20`, `2026-11-20T08:00Z`. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

const parseMoment = (text: string): Date => {
  const moment = new Date(text);
  if (!MOMENT.test(text) || Number.isNaN(moment.getTime()))
    throw new Error(`${text} is no moment such as 2026-11-20 or 2026-11-20T08:00Z`);
  return moment;
};

/** Publishes a service's events since then again. Returns the text to show; throws the reason of a refusal. */
export const republishCommand = async (
  { services, on }: System,
  service: string,
  since: string,
): Promise<string> => {
  if (!services.includes(service))
    throw new Error(`There is no service ${service}; there are ${services.join(', ')}`);
  const moment = parseMoment(since);
  const events = await on(service, (database) => republishSince(database, moment));
  return `${events} events of ${service} since ${moment.toISOString()} are published again. Who has handled one ignores it.`;
};
