import { identity, routes } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { askerOf, keyIdOf, scopeOf, toKeyBody } from './key-requests.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const answers = answersOf(routes.rotateKey);

export const rotateKey = onRoute(
  routes.rotateKey,
  async ({ call, newSecrets }: Pick<Deps, 'call' | 'newSecrets'>, input) => {
    const { name, daily_credit_cap: dailyCreditCap } = input.body;
    const keyId = keyIdOf(input);
    const { sent, secretOf, repeatHeaders } = newSecrets(scopeOf(input, `rotate-key ${keyId}`));
    const request = { ...askerOf(input), keyId, name, dailyCreditCap, ...sent };
    const { key, replaced, replay } = await call(identity.rotateKey, request, input.callContext);
    return answers.json(
      { key: { ...toKeyBody(key), secret: secretOf({ key, replay }) }, replaced: toKeyBody(replaced) },
      { headers: repeatHeaders({ replay }) },
    );
  },
);
