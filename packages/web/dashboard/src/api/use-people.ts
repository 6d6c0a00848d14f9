import { useQuery } from '@tanstack/react-query';
import { peopleQuery } from './queries.ts';

/** The people of the account. */
export const usePeople = () => {
  const reading = useQuery(peopleQuery);
  const { people = [], invitations = [] } = reading.data ?? {};
  return {
    ...{ people, invitations, reading },
    /** Undefined where nobody need be told from others, and while the people are not read: a name is beside the work, which stays without it. */
    nameOf: (person: string | null | undefined): string | undefined =>
      person && people.length > 1
        ? (people.find((one) => one.id === person)?.email ?? 'a person who was removed')
        : undefined,
  };
};
