import { expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { codeOf } from '@tds/test-kit';
import { startFetcher } from '../test-support/start-fetcher.ts';

it('a new account begins as many transcripts a day as the setting allows, if there is one', async () => {
  const fetcher = await startFetcher({}, { NEW_ACCOUNT_FETCHES_PER_DAY: '1' });
  try {
    const get = (n: number) =>
      fetcher.get({ videoId: loadVideoId(n), accountCreatedAt: new Date().toISOString() });
    expect(await get(1)).toMatchObject({ state: 'delivered' });
    expect(await codeOf(get(2))).toBe('account_age_ramp');
  } finally {
    await fetcher.stop();
  }
});
