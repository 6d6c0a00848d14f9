import { LONGEST_WEBHOOK_URL, languageTag } from '@tds/contracts';
import { z } from 'zod';
import { field } from '../define-route.ts';

/** In which language transcripts are wanted, by a job or a monitor. */
export const languageFields = {
  language: field(
    languageTag.default('en').meta({ default: 'en', examples: ['es', 'pt-BR'] }),
    'invalid_language',
    'BCP 47 tag',
  ),
  fallback: field(z.boolean().default(true), 'invalid_fallback', 'false: that language or nothing'),
};

/** Where events go instead of the webhook of the account. */
export const overrideUrl = (what: string) =>
  field(
    z
      .url({ protocol: /^https?$/ })
      .max(LONGEST_WEBHOOK_URL)
      .nullish(),
    'invalid_webhook_url',
    `Where the events of ${what} go, instead of the webhook of the account`,
  );
