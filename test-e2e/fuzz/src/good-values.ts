import type { Fields } from '@tds/http-api';
import { loadVideoId } from '@tds/simulators/platform';

/** Few, so that after a handful of deliveries all reads come from the cache. */
const VIDEOS = [1, 2, 3, 4];

/** What some field of the table may hold; which one each field takes, its own rule says. */
const candidates: readonly unknown[] = [
  ...VIDEOS.map(loadVideoId),
  '3f0a9a3e-5d0e-4c53-9d57-0a4ff3f5c0de',
  '{{keyId}}',
  'en',
  'txt',
  'json',
  'csv',
  'ledger',
  'account',
  'member',
  'pass_on',
  'true',
  '1',
  '0',
  '200',
  '2026-01-01',
  '2026-01-31',
  '123456',
  'unknown@example.com',
  'a name',
  true,
  0,
  24,
  5,
];

export const goodValues = (fields: Fields, name: string): readonly unknown[] =>
  candidates.filter((value) => fields[name]?.schema.safeParse(value).success);

/** Whether a request may do without it. */
export const isOptional = (fields: Fields, name: string): boolean =>
  fields[name]?.schema.safeParse(undefined).success ?? true;
