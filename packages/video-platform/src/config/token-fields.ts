import { baseUrl, booleanFlag } from '@tds/base';
import { z } from 'zod';

const hasNoPassword = (text: string): boolean => {
  const { username = '', password = '' } = URL.parse(text) ?? {};
  return username === '' && password === '';
};

/** Settings of a service that downloads captions. */
export const tokenFields = {
  /** A provider of proof-of-origin tokens: Brainicism/bgutil-ytdlp-pot-provider, or a server with the same `POST /get_pot`. */
  PO_TOKEN_PROVIDER_URL: baseUrl('http', 'https')
    .refine(hasNoPassword, 'expected a URL without a user and a password')
    .optional(),
  /** Sends the provider the URL of the exit's proxy, with its password, so that it asks through the same exit. */
  PO_TOKEN_PROVIDER_USES_PROXY: booleanFlag().default(false),
};

const schema = z.object(tokenFields);

export type TokenSettings = { readonly url: string; readonly usesProxy: boolean };

/** Null without a provider. */
export const readTokenSettings = (fields: z.output<typeof schema>): TokenSettings | null =>
  fields.PO_TOKEN_PROVIDER_URL === undefined
    ? null
    : { url: fields.PO_TOKEN_PROVIDER_URL, usesProxy: fields.PO_TOKEN_PROVIDER_USES_PROXY };
