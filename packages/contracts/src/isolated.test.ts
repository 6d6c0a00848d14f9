import { expect, it } from '@jest/globals';
import { isolate, isolated } from './isolated.ts';

it('texts beside one from right to left get a direction of their own, and others stay as they are', () => {
  expect(isolated(['A talk', '日本語', '2026-05-04'])).toEqual(['A talk', '日本語', '2026-05-04']);
  expect(isolated(['مكتبة', '2026-05-04'])).toEqual(['\u2068مكتبة\u2069', '\u20682026-05-04\u2069']);
  for (const text of ['ספריה', 'ކުތުބު', 'ﻣﻜﺘﺒﺔ', '𞤀𞤁']) expect(isolate(text)).toBe(`\u2068${text}\u2069`);
  expect(isolate('Talk')).toBe('Talk');
});
