import type { Event } from '@tds/contracts';
import { z } from 'zod';
import type { SqlExecutor } from '../runtime/service.ts';

/** Which state of what an event tells. */
type AggregateVersion = { readonly key: string; readonly version: number };

const fields = z.tuple([z.string(), z.int()]);

/** What the contract says about the event, read from its payload. Throws where it says nothing. */
export const versionIn = ({ wireName, aggregate }: Event, payload: unknown): AggregateVersion => {
  if (!aggregate) throw new Error(`the contract of ${wireName} declares no aggregate`);
  const given = payload as Readonly<Record<string, unknown>>;
  const [key, version] = fields.parse([given[aggregate.key], given[aggregate.version]]);
  return { key, version };
};

/** Of two versions at the same time the second waits for the first's commit. */
const REMEMBER = `
  INSERT INTO messaging.aggregate_versions AS known (consumer, aggregate_key, version) VALUES ($1, $2, $3::bigint)
  ON CONFLICT (consumer, aggregate_key) DO UPDATE SET version = excluded.version, seen_at = excluded.seen_at
  WHERE known.version < excluded.version
  RETURNING version`;

/** Whether the listener has not acted upon this version or a newer one; from then on it has, in the caller's transaction. */
export const isNewest = async (
  tx: SqlExecutor,
  consumer: string,
  { key, version }: AggregateVersion,
): Promise<boolean> =>
  (await tx.$queryRawUnsafe<unknown[]>(REMEMBER, consumer, key, String(version))).length === 1;
