import { useQuery } from '@tanstack/react-query';
import { connectionsQuery, keysQuery } from './queries.ts';

/** The names of keys and of connected apps, whose requests and charges stand under their ids, and how reading them goes. */
export const useKeyNames = () => {
  const keys = useQuery(keysQuery);
  const connections = useQuery(connectionsQuery);
  const apps = connections.data?.connections ?? [];
  const names = [...(keys.data?.keys ?? []), ...apps.map(({ id, app: { name } }) => ({ id, name }))];
  return { names, reading: keys.data ? connections : keys };
};
