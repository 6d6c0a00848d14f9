import { useQuery } from '@tanstack/react-query';
import type { LedgerRow } from '@transcript-delivery/sdk';
import { DASHBOARD } from '../key-use.ts';
import { connectionsQuery, keysQuery } from './queries.ts';

type Cause = Pick<LedgerRow, 'key_id' | 'via'>;

/** The names of keys and of connected apps, whose requests and charges stand under their ids, and how reading them goes. */
export const useKeyNames = () => {
  const listed = useQuery(keysQuery);
  const connections = useQuery(connectionsQuery);
  const keys = listed.data?.keys ?? [];
  const apps = (connections.data?.connections ?? []).map(({ id, app: { name } }) => ({ id, name }));
  const names = [...keys, ...apps];
  /** Undefined if it is unknown. */
  const nameCause = ({ key_id, via }: Cause): string | undefined =>
    via === 'dashboard' ? DASHBOARD.name : names.find(({ id }) => id === key_id)?.name;
  return { keys, apps, names, nameCause, reading: listed.data ? connections : listed };
};
