import { billing, routes } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';

const answers = answersOf(routes.openPortal);

/** None is opened for a HEAD, whose answer would not show it. */
export const openPortal = onRoute(
  routes.openPortal,
  async (
    { call, config }: Pick<Deps, 'call' | 'config'>,
    { isHead, principal: { accountId }, callContext },
  ) =>
    answers.json(
      isHead ? { url: config.publicUrl } : await call(billing.openPortal, { accountId }, callContext),
    ),
);
