import { useQuery } from '@tanstack/react-query';
import { accountQuery } from './queries.ts';

/** Who is signed in, and what this person may do; until that is read, and without other people, an owner. */
export const useRole = () => {
  const { data } = useQuery(accountQuery);
  const { id: me, role = 'owner' } = data?.person ?? {};
  return {
    me,
    isOwner: role === 'owner',
    /** May change or end what this person has. */
    isMine: (person: string | null | undefined): boolean => role === 'owner' || person === me,
    /** May work: fetch, and have keys, jobs and monitors. */
    isWorker: role !== 'billing',
    /** May buy and refund. */
    isPayer: role !== 'member',
  };
};
