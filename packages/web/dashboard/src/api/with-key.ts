import type { Answer } from '@transcript-delivery/sdk';
import { send } from './send.ts';

/**
 * Does what no session may do with the key of this session. It is the same in every tab and after a reload, and is kept nowhere: each
 * change gets it anew, so it is always that of who is signed in now.
 */
export const withKey = async <Result>(work: (key: string) => Promise<Result>): Promise<Result> => {
  const { key } = await send<Answer<'createDashboardKey'>>('POST', '/v1/dashboard/key');
  return work(key.secret);
};
