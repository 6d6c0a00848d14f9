import { creditsLedger } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import { createAnswers, listPage, onRoute } from '../serve/index.ts';
import { assertOwnKey } from './usage.ts';

const answers = createAnswers(routes.listRequests);

/** A page of the log. Throws `invalid_usage_range` and `key_not_found`. */
export const listRequests = onRoute(routes.listRequests, async (deps, input) => {
  const { query, principal, callContext } = input;
  const { key_id: keyId = null, code = null, failed = null, from = null, to = null, limit, offset } = query;
  const { person_id: personId, via } = query;
  if (from !== null && to !== null && from > to) throw serviceError('invalid_usage_range');
  const { accountId } = principal;
  const { requests, total, isKnownKey } = await deps.call(
    creditsLedger.listRequests,
    { accountId, keyId, personId, via, code, failed, from, to, limit, offset },
    callContext,
  );
  await assertOwnKey(deps, input, keyId, isKnownKey);
  return answers.json({
    requests,
    ...listPage(routes.listRequests, query, { count: requests.length, total }),
  });
});
