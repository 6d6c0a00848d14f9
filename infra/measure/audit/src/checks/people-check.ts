import { ask, type BookCheck } from './evidence.ts';

const WITHOUT_OWNER = `
  SELECT a.id, format('%s people', (SELECT count(*) FROM people AS p WHERE p.account_id = a.id AND p.removed_at IS NULL)) AS found
  FROM accounts AS a
  WHERE a.status <> 'closed' AND NOT EXISTS (
    SELECT FROM people AS p WHERE p.account_id = a.id AND p.role = 'owner' AND p.removed_at IS NULL)
  ORDER BY a.id LIMIT 50`;

/** A restored database may lack who has joined since, and know of who was removed. */
export const peopleCheck: BookCheck = {
  invariant: 'I6',
  promise: 'every open account has an owner who can sign in',
  check: (evidence) =>
    ask(evidence, {
      ...{ service: 'identity', sql: WITHOUT_OWNER, subject: 'account', what: 'owner of the account' },
      expected: 'one at least',
    }),
};
