import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, errorCodes } from '@tds/errors';
import { routeErrors, routeTable } from '@tds/http-api';
import { pageWords, wordsOfRequests } from './page-words.ts';

describe.each(Object.keys(errorCodes) as ErrorCode[])('a page that shows %s', (code) => {
  it('says so in whole sentences, and in no words of requests', () => {
    const { what = errorCodes[code].message, remedy = '' } = pageWords(code);
    expect(`${what} ${remedy}`).not.toMatch(wordsOfRequests);
    expect(what).toMatch(/^[A-Z5].*\.$/);
  });
});

/** What only a page sends that is wrong itself: a person enters none of it. */
const FAULTS_OF_A_PAGE =
  /^(?:cap_required|dashboard_header_required|empty_(?:key|person|receiver)_update|headers_too_large|key_in_query_string|method_not_allowed|replay_not_possible|unknown_parameter|unknown_query_mode|unsupported_media_type)$|^invalid_(?:auto_fetch|connection_answer|delivery_status|digest_day|digest_hour|error_code|event_mails|failed|grace_period|idempotency_key|json|ledger_format|ledger_limit|ledger_offset|limit|list_format|mail|mail_only_matches|manifest_format|named_only|offset|purchase_id|receiver_form|receiver_id|replay_since|role|rotate_secret|scopes|status|unpaid|usage_date|usage_format|usage_range|via|webhook_event|work)$/;

describe('a code that a route of the dashboard answers to a person', () => {
  it('has words of its own, and is not shown as a fault of the page', () => {
    const rows = routeTable.filter(({ access }) => access !== 'key');
    const codes = new Set<ErrorCode>(rows.flatMap((row) => routeErrors(row)));
    const faults = [...codes].filter((code) => pageWords(code).what?.startsWith('The page sent something'));
    expect(faults.filter((code) => !FAULTS_OF_A_PAGE.test(code))).toEqual([]);
  });
});
