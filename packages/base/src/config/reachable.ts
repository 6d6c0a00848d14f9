import type { z } from 'zod';

/** Loopback, and names that are reserved for trials and documents (RFC 2606, RFC 6761). */
const NOWHERE =
  /^(?:127\.[\d.]+|0\.0\.0\.0|\[::1?\]|(?:.+\.)?(?:localhost|test|invalid|example|example\.(?:com|net|org)))$/i;

/** Of a URL, or of a mail address with or without a name before it. */
const hostOf = (address: string): string =>
  URL.parse(address)?.hostname || (address.split('@').at(-1) ?? '').replace('>', '').trim();

/** For `superRefine`: in production (NODE_ENV) these variables are there, and name a host that customers reach. */
export const reachable =
  (...names: readonly string[]) =>
  (values: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    if (values.NODE_ENV !== 'production') return;
    for (const name of names)
      if (NOWHERE.test(hostOf(String(values[name] ?? 'localhost'))))
        context.addIssue({ code: 'custom', path: [name], message: 'no customer reaches this host of a trial' });
  };
