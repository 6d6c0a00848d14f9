import { describe, expect, it } from '@jest/globals';
import type { LedgerRow } from '@transcript-delivery/sdk';
import { entryText, ledgerCsv } from './ledger-csv.ts';

const change = { before: 100, after: 99 };
const row = (more: Partial<LedgerRow>): LedgerRow => ({
  id: '1',
  created_at: '2026-03-01T00:00:00Z',
  kind: 'delivery',
  amount: -1,
  balance: change,
  free: change,
  purchased: change,
  reserved: change,
  reason: null,
  video_id: null,
  language: null,
  job_id: null,
  rows: null,
  q: null,
  type: null,
  reference: 'r',
  key_id: null,
  request_id: null,
  person_id: null,
  via: null,
  ...more,
});

describe('the ledger as CSV', () => {
  it('has a line of names, and one for each entry with the balance before and after', () => {
    const [names, first, end] = ledgerCsv([row({})]).split('\r\n');
    expect(names?.split(',').slice(3, 6)).toEqual(['amount', 'balance_before', 'balance_after']);
    expect(first?.split(',').slice(3, 6)).toEqual(['-1', '100', '99']);
    expect(end).toBe('');
  });

  it('quotes what would break a line, and disarms what a spreadsheet would run', () => {
    const text = ledgerCsv([row({ reason: 'a, "b"\nc', reference: '=1+1', video_id: '-abcdefghij' })]);
    expect(text).toContain('"a, ""b""\nc"');
    expect(text).toContain(",'=1+1,");
    expect(text).toContain(',-abcdefghij,');
    expect(text).toMatch(/^\ufeffid,/);
  });
});

describe('the text of an entry', () => {
  it('names what was delivered', () => {
    expect(entryText(row({ video_id: 'manualEn001' }))).toBe('Delivered: manualEn001');
    expect(entryText(row({ video_id: 'manualEn001' }), 'The harbour')).toBe('Delivered: The harbour');
    expect(entryText(row({ rows: 1 }))).toBe('Delivered: 1 video of a job');
    expect(entryText(row({ rows: 2 }), 'Harbour talks')).toBe('Delivered: 2 videos of Harbour talks');
    expect(entryText(row({ q: 'harbour' }))).toBe('Search: harbour');
    expect(entryText(row({ q: 'مكتبة 2026-05-04' }))).toBe('Search: \u2068مكتبة 2026-05-04\u2069');
    expect(entryText(row({ kind: 'monthly_grant' }))).toBe('Free credits of the month');
  });
});
