import { type Customer, dashboard } from '#support/testing';
import type { Send } from './use-people.ts';

/** A quote of what a job has delivered, under the name of the account. */
export const useLinks = async (customer: Customer, send: Send): Promise<void> => {
  await send('PATCH', '/v1/account', { name: 'Harbour Research' }, dashboard(customer));
  const quote = { video_id: 'chapters_01', start: 1, end: 4 };
  const { link } = (await send('POST', '/v1/links', quote)).json<{ link: { id: string } }>();
  await send('GET', '/v1/links');
  await send('DELETE', `/v1/links/${link.id}`);
};
