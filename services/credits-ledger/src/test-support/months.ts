import type pg from 'pg';

/** Every month that a test's clock shows; months around now are open anyway. */
const MONTHS = [
  ...[
    '2020-01',
    '2020-02',
    '2027-01',
    '2027-02',
    '2028-01',
    '2028-02',
    '2028-03',
    '2028-06',
    '2028-12',
    '2029-01',
    '2031-07',
  ],
];

export const openTestMonths = async (owner: pg.Pool): Promise<void> => {
  await owner.query(`SELECT open_month((m || '-01')::date) FROM unnest($1::text[]) AS m`, [MONTHS]);
};
