import { creditsLedger } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { addRequests, findRequest, readRequests } from '../store/requests.ts';
import { isKnownKey } from '../store/usage.ts';

export const recordRequests = onCommand(
  creditsLedger.recordRequests,
  async ({ db }: Deps, { requests }, context) => {
    const added = await addRequests(db, requests);
    context.record.add({ requests: requests.length, added });
    return { added };
  },
);

export const listRequests = onCommand(creditsLedger.listRequests, async ({ db }: Deps, request) => {
  const page = await readRequests(db, request);
  return { ...page, isKnownKey: await isKnownKey(db, request, page.total) };
});

export const getRequest = onCommand(
  creditsLedger.getRequest,
  async ({ db }: Deps, { accountId, requestId }) => {
    const request = await findRequest(db, accountId, requestId);
    if (request === null) throw serviceError('request_not_logged');
    return { request };
  },
);
