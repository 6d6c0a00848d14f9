import { useQuery } from '@tanstack/react-query';
import { accountQuery, peopleQuery } from './queries.ts';

/** The people of the account, and which of them is signed in; until both are read, the owner of an account without others. */
export const usePeople = () => {
  const account = useQuery(accountQuery);
  const reading = useQuery(peopleQuery);
  const { people = [], invitations = [] } = reading.data ?? {};
  const { id, role = 'owner' } = account.data?.person ?? {};
  return {
    ...{ people, invitations, reading, me: id ?? null, role },
    isOwner: role === 'owner',
    /** May change or end what this person has. */
    isMine: (person: string | null | undefined): boolean => role === 'owner' || person === id,
    /** May work: fetch, and have keys, jobs and monitors. */
    isWorker: role !== 'billing',
    /** May buy and refund. */
    isPayer: role !== 'member',
    /** Undefined where nobody need be told from others. */
    nameOf: (person: string | null | undefined): string | undefined =>
      person && people.length > 1
        ? (people.find((one) => one.id === person)?.email ?? 'a person who was removed')
        : undefined,
  };
};
