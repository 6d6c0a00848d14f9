import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readTokenSettings, tokenFields } from './token-fields.ts';

const read = (environment: Record<string, string>) =>
  readTokenSettings(z.object(tokenFields).parse(environment));

describe('the settings of tokens', () => {
  it('are none without a provider', () => {
    expect(read({ PO_TOKEN_PROVIDER_USES_PROXY: '1' })).toBeNull();
  });

  it('keep the passwords of proxies from the provider unless they say otherwise', () => {
    const PO_TOKEN_PROVIDER_URL = 'http://po-token-provider:4416';
    const settings = { url: PO_TOKEN_PROVIDER_URL, usesProxy: false };
    expect(read({ PO_TOKEN_PROVIDER_URL })).toEqual(settings);
    expect(read({ PO_TOKEN_PROVIDER_URL, PO_TOKEN_PROVIDER_USES_PROXY: '1' })).toEqual({
      ...settings,
      usesProxy: true,
    });
  });

  it.each(['po-token-provider:4416', 'ftp://provider', 'http://user:hunter2@provider'])(
    'are rejected if the provider is %s',
    (url) => {
      expect(() => read({ PO_TOKEN_PROVIDER_URL: url })).toThrow('PO_TOKEN_PROVIDER_URL');
    },
  );
});
