import type { Deps } from '../deps.ts';
import { domainOf, isDisposableDomain } from '../domain/email-address.ts';

/** Whether nobody keeps the address: by its domain, or because a disposable one takes the mail of that. */
export const isDisposable = async (
  { mailExchanges, disposableDomains }: Pick<Deps, 'mailExchanges' | 'disposableDomains'>,
  email: string,
): Promise<boolean> => {
  const domain = domainOf(email);
  if (isDisposableDomain(domain, disposableDomains)) return true;
  return (await mailExchanges(domain)).some((host) => isDisposableDomain(host, disposableDomains));
};
