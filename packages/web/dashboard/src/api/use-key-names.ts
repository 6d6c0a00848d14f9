import { useQuery } from '@tanstack/react-query';
import type { LedgerRow } from '@transcript-delivery/sdk';
import { connectionsQuery, keysQuery } from './queries.ts';
import { usePeople } from './use-people.ts';

type Cause = Pick<LedgerRow, 'key_id' | 'person_id' | 'via'>;

/** The names of keys and of connected apps, whose requests and charges stand under their ids, and how reading them goes. */
export const useKeyNames = () => {
  const listed = useQuery(keysQuery);
  const connections = useQuery(connectionsQuery);
  const { nameOf } = usePeople();
  const keys = listed.data?.keys ?? [];
  const apps = (connections.data?.connections ?? []).map(({ id, app: { name } }) => ({ id, name }));
  const names = [...keys, ...apps];
  /** Undefined if it is unknown. */
  const nameCause = ({ key_id, person_id, via }: Cause): string | undefined => {
    const key = via === 'dashboard' ? 'the dashboard' : names.find(({ id }) => id === key_id)?.name;
    return [key, nameOf(person_id)].filter(Boolean).join(', ') || undefined;
  };
  return { keys, apps, names, nameCause, reading: listed.data ? connections : listed };
};
