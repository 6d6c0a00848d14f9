import { expect, it } from '@jest/globals';
import { money } from './money.ts';

it('amounts have the digits of the payment processor, whatever those of the browser are', () => {
  expect([money(500, 'usd'), money(500, 'jpy'), money(5, 'clp')]).toEqual(['$5.00', '¥500', 'CLP\u00a05']);
  expect([money(1_500, 'kwd'), money(50, 'idr')]).toEqual(['KWD\u00a01.500', 'IDR\u00a00.50']);
  for (const currency of 'afn all cop huf isk lak lbp mmk pkr rsd sos ugx yer'.split(' '))
    expect(money(17_500, currency)).toMatch(/\s175\.00$/);
});
