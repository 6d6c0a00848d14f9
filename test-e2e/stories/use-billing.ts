import type { Answer } from '#support/testing';

type Headers = Record<string, string>;
type Send = (method: string, at: string, body?: object, headers?: Headers) => Promise<Answer>;

/** Resolves to the id of a purchase that is paid. */
export const buyBlock = async (send: Send, body: object, headers?: Headers): Promise<string> => {
  const opened = await send('POST', '/v1/checkout', body, headers);
  const { checkout_url: page, purchase_id: purchase } = opened.json<Record<string, string>>();
  await send('POST', String(page), undefined, {});
  return String(purchase);
};

/** An owner turns refilling on, opens the page of the card, and turns it off again. */
export const useRefill = async (send: Send, headers: Headers): Promise<void> => {
  await send('PUT', '/v1/refill', { threshold: 10, block: 20, monthly_limit: 1_000 }, headers);
  await send('POST', '/v1/refill/card', undefined, headers);
  for (const method of ['GET', 'DELETE']) await send(method, '/v1/refill', undefined, headers);
};
