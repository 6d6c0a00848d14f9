import { useQuery } from '@tanstack/react-query';
import { type KeyUse, monthStart, sumCredits } from '../key-use.ts';
import { dayOf } from '../steps.ts';
import { usageQuery } from './queries.ts';

const NOTHING: KeyUse = { today: 0, month: 0 };

/** Credits that each key and each app has used, and how reading them goes. */
export const useKeyUse = () => {
  const today = dayOf(Date.now());
  const usage = useQuery(usageQuery(monthStart(today), today));
  const rows = usage.data?.rows;
  const uses = rows && sumCredits(rows, today);
  const usesOfPeople = rows && sumCredits(rows, today, ({ person_id }) => person_id);
  return {
    usage,
    findUse: (id: string): KeyUse | null => (uses && (uses.get(id) ?? NOTHING)) || null,
    findUseOf: (person: string): KeyUse | null =>
      (usesOfPeople && (usesOfPeople.get(person) ?? NOTHING)) || null,
  };
};
