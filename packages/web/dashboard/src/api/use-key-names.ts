import { useQuery } from '@tanstack/react-query';
import { connectionsQuery, keysQuery } from './queries.ts';

/** The names of keys and of connected apps, whose requests and charges stand under their ids, and how reading them goes. */
export const useKeyNames = () => {
  const listed = useQuery(keysQuery);
  const connections = useQuery(connectionsQuery);
  const keys = listed.data?.keys ?? [];
  const apps = (connections.data?.connections ?? []).map(({ id, app: { name } }) => ({ id, name }));
  return { keys, apps, names: [...keys, ...apps], reading: listed.data ? connections : listed };
};
