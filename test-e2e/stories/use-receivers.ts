import { bearer, signUp, type TestSystem } from '#support/testing';
import type { Send } from './use-people.ts';

/** A channel of a chat that gets events, of a customer whose requests of this minute are all left. */
export const useReceivers = async (system: TestSystem, send: Send): Promise<void> => {
  const headers = bearer((await signUp(system)).key);
  const url = `${system.receiver.hookUrl}/chat`;
  const chat = { name: 'Newsroom', form: 'slack', url, events: ['monitor.words_found'] };
  const made = await send('POST', '/v1/receivers', chat, headers);
  const at = `/v1/receivers/${made.json<{ receiver: { id: string } }>().receiver.id}`;
  await send('GET', '/v1/receivers', undefined, headers);
  await send('GET', at, undefined, headers);
  await send('POST', `${at}/replay`, { since: '2026-01-15T12:00:00Z' }, headers);
  await send('DELETE', at, undefined, headers);
};
