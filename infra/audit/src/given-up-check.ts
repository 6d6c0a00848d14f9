import { storedServiceNames } from '@tds/local';
import type { BookCheck } from './check.ts';
import type { Finding } from './finding.ts';

type Loose = Omit<Finding, 'invariant'>;

const LETTERS = `
  SELECT id, source, reason FROM messaging.dead_letters WHERE replayed_at IS NULL ORDER BY id LIMIT 50`;
const TWICE = `
  SELECT name, payload::text AS payload, count(*)::int AS count FROM messaging.tasks
  WHERE state = 'ready' GROUP BY name, payload HAVING count(*) > 1 ORDER BY 1, 2 LIMIT 50`;

/** What the system has stopped trying, and what it tries more than once at a time: people have to look at both. */
export const givenUpCheck: BookCheck = {
  invariant: 'I4',
  promise: 'nothing was given up, and nothing is asked for twice at a time',
  look: async ({ rows }) => {
    const findings: Loose[] = [];
    for (const service of storedServiceNames) {
      const letters = await rows<Record<'id' | 'source' | 'reason', string>>(service, LETTERS);
      for (const { id, source, reason } of letters)
        findings.push({
          subject: id,
          what: `dead letter of ${source} in ${service}`,
          expected: 'none',
          found: reason,
        });
      for (const { name, payload, count } of await rows<{ name: string; payload: string; count: number }>(
        service,
        TWICE,
      ))
        findings.push({
          subject: payload,
          what: `open tasks ${name} of ${service}`,
          expected: 'one',
          found: `${count}`,
        });
    }
    return findings;
  },
};
