import { routes, search, serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { mayStillBeCharged } from '../disowned/disowned-requests.ts';
import { compressible } from '../http/compression.ts';
import { askingOf } from './asking.ts';
import { answersOf } from './route-answer.ts';
import { type Input, onRoute } from './route-handler.ts';

type SearchInput = Input<typeof routes.searchPage>;

const answers = answersOf(routes.searchPage);

const askedOf = ({ query, principal, requestId }: SearchInput) => {
  const { q, type, channel = null, continuation = null } = query;
  if (channel !== null && type !== 'video') throw serviceError('invalid_search_type');
  const { dailyCreditCap } = principal;
  return { ...askingOf(principal), dailyCreditCap, requestId, query: q, type, channel, continuation };
};

/** A page for a credit. What is answered with a 5xx is disowned, so that it costs nothing. */
export const searchPage = onRoute(
  routes.searchPage,
  async ({ call, disowned }: Pick<Deps, 'call' | 'disowned'>, input) => {
    if (input.isHead) {
      throw serviceError('not_cached', { message: 'HEAD starts no work, and a search is work. Use GET.' });
    }
    const asked = askedOf(input);
    const { accountId, keyId, requestId } = asked;
    input.balanceMayHaveMoved();
    try {
      const reply = await call(search.searchPage, asked, input.callContext);
      const { results, continuation, creditsCharged, creditsLeft } = reply;
      if (creditsLeft !== undefined) input.balanceMovedTo(creditsLeft);
      const page = { results, continuation, has_more: continuation !== null };
      return compressible(answers.json(page, { creditsCharged }));
    } catch (error) {
      if (mayStillBeCharged(error)) {
        await disowned.disown({ accountId, keyId, requestId });
        input.costsNothing();
      }
      throw error;
    }
  },
);
