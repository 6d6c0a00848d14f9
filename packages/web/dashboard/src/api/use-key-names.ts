import { useQuery } from '@tanstack/react-query';
import { connectionsQuery, keysQuery } from './queries.ts';

/** The names of keys and of connected apps, whose requests and charges stand under their ids. */
export const useKeyNames = (): readonly { readonly id: string; readonly name: string }[] => {
  const keys = useQuery(keysQuery);
  const connections = useQuery(connectionsQuery);
  const apps = connections.data?.connections ?? [];
  return [...(keys.data?.keys ?? []), ...apps.map(({ id, app: { name } }) => ({ id, name }))];
};
