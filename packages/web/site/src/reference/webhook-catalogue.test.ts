import { describe, expect, it } from '@jest/globals';
import { webhookKind, webhookKinds } from '@tds/contracts';
import { webhookCatalogueMarkdown } from './webhook-catalogue.ts';

describe('the catalogue of webhook events', () => {
  const text = webhookCatalogueMarkdown();

  it.each(webhookKind.options)('says of %s when it is sent and each field that it has', (kind) => {
    const section = text.split(`## ${kind}\n`)[1]?.split('\n## ')[0] ?? '';
    expect(section).toContain(webhookKinds[kind].when);
    for (const name of Object.keys(webhookKinds[kind].data.shape)) expect(section).toContain(`\`${name}\``);
  });
});
