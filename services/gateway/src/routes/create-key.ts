import { identity, routes } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { askerOf, scopeOf, toKeyBody } from './key-requests.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const answers = answersOf(routes.createKey);

export const createKey = onRoute(
  routes.createKey,
  async ({ call, newSecrets }: Pick<Deps, 'call' | 'newSecrets'>, input) => {
    const { name, daily_credit_cap: dailyCreditCap = null } = input.body;
    const { sent, secretOf, repeatHeaders } = newSecrets(scopeOf(input, 'create-key'));
    const request = { ...askerOf(input), name, dailyCreditCap, ...sent };
    const { replay, ...key } = await call(identity.createKey, request, input.callContext);
    return answers.json(
      { key: { ...toKeyBody(key), secret: secretOf({ key, replay }) } },
      { headers: repeatHeaders({ replay }) },
    );
  },
);
