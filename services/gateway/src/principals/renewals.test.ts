import { expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { newPrincipal } from '../test-support/builders.ts';
import { createRenewals } from './caller-admission.ts';

it('renewals requested within a moment share one round trip, each key once, with its last state', async () => {
  const renewed: string[][] = [];
  const turn: string[] = [];
  const want = createRenewals(async ({ keyDigest, principal }) => {
    if (turn.length === 0) setImmediate(() => void renewed.push(turn.splice(0)));
    turn.push(`${keyDigest} ${principal.tier}`);
  });
  const kind = 'body' as const;
  want({ kind, keyDigest: 'one', principal: newPrincipal() });
  want({ kind, keyDigest: 'two', principal: newPrincipal() });
  want({ kind, keyDigest: 'one', principal: newPrincipal({ tier: 'paid' }) });
  await eventually(() => expect(renewed).toEqual([['one paid', 'two free']]));
  want({ kind, keyDigest: 'one', principal: newPrincipal() });
  await eventually(() => expect(renewed).toHaveLength(2));
});
