import { expect, it } from '@jest/globals';
import { errorCodes } from '@tds/errors';
import { jobRowStatus, jobStatus } from './job-statuses.ts';
import { deliveryStatus, webhookKind } from './webhook-dispatcher/statuses.ts';

it.each([
  ['invalid_webhook_event', [webhookKind]],
  ['invalid_delivery_status', [deliveryStatus]],
  ['invalid_status', [jobStatus, jobRowStatus]],
] as const)('the text of %s lists the words that the contract knows', (code, enums) => {
  for (const { options } of enums)
    expect(errorCodes[code].message).toMatch(new RegExp(`of ${options.join(', ')}[. ]`));
});
