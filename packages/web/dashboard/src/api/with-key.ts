import type { Answer } from '@transcript-delivery/sdk';
import { Refusal, send } from './send.ts';

/** The key of this session, in memory only. The service gives every tab of a session the same one, so none is passed between tabs. */
let held: Promise<string> | undefined;

const read = async (): Promise<string> => {
  const { key } = await send<Answer<'createDashboardKey'>>('POST', '/v1/dashboard/key');
  return key.secret;
};

const keyOfSession = (): Promise<string> => {
  held ??= read().catch((error) => {
    held = undefined;
    throw error;
  });
  return held;
};

/** Does what no session may do with the key of this session. A key that ended meanwhile is read anew, once. */
export const withKey = async <Result>(work: (key: string) => Promise<Result>): Promise<Result> => {
  const key = await keyOfSession();
  try {
    return await work(key);
  } catch (error) {
    if (!(error instanceof Refusal && error.body.code === 'invalid_api_key')) throw error;
    held = undefined;
    return work(await keyOfSession());
  }
};
