import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { newAccount, openLibrary, type TestLibrary } from '../../test-support/library.ts';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library?.stop());

type Case = readonly [language: string, text: string, found: readonly string[], missing?: readonly string[]];

const searchAll = async ([languageCode, text, found, missing = []]: Case) => {
  const account = newAccount();
  await library.addIndexed(account, [text], { languageCode });
  for (const query of [...found, ...missing]) {
    // On a busy machine a search may take its whole time, which says nothing about spelling.
    const { total } = await eventually(() => library.search(account, query));
    expect({ query, total }).toEqual({ query, total: found.includes(query) ? 1 : 0 });
  }
};

describe('spelling as people type it', () => {
  it.each<Case>([
    ['iw', 'נשיא ארה״ב דיבר עם סין', ['ארה"ב סין', 'ארה״ב', 'ארהב', '"נשיא ארה"ב"']],
    ['iw', 'צה״ל בעיר ירושלים ד"ר לוי', ['צה"ל ירושלים', 'צה״ל ירושלים', 'ד"ר לוי']],
    ['fa', 'کتاب‌ها را می‌خوانم', ['کتاب', 'کتاب ها', 'کتاب‌ها', 'کتابها', 'می خوانم', 'میخوانم', 'كتاب']],
    ['fa', 'علي يزدي در خانهٔ درخت ها', ['علی', 'یزدی', 'خانۀ', 'درخت‌ها']],
    ['ur', 'علی یہ', ['علي', 'يه']],
    ['hi', 'हिन्दी फ़िल्म में चाँद और ज़िंदगी', ['हिंदी', 'फिल्म', 'जिंदगी', 'चांद', 'ज़िन्दगी']],
    ['hy', 'Ինչպե՞ս ես, ի՞նչ կա։ Երևան', ['ինչպես', 'ինչ', 'ԵՐԵՎԱՆ', 'երեւան']],
    [
      'ko',
      '인공 지능을 공부할 수 있다. 데이터베이스는',
      ['인공지능', '인공 지능', '"데이터 베이스"', '공부할수있다', '수'],
    ],
    ['ru', 'Школа №5 и вагон № 7', ['школа 5', '5', '№ 5', '№7', '"вагон 7"']],
    [
      'en',
      'iPhone™ 15 with 1½ cups in Hawaiʻi, the Qur’an, O’Brien: don’t',
      ['iphone', '"iphone 15"', '1 1/2 cups', 'quran', 'obrien', "o'brien", 'dont', "don't"],
    ],
    ['fa', 'سال ۲۰۲۴', ['2024', '۲۰۲۴', '٢٠٢٤']],
    ['th', 'ปี ๒๕๖๗ ประชาธิปไตย น้ำ', ['2567', 'ประชาธิปไตย', 'นํ้า']],
    [
      'ja',
      'スティーブ・ジョブズのサーバーを',
      ['スティーブジョブズ', 'スティーブ・ジョブズ', 'サーバ', 'サーバー', '"スティーブジョブズのサーバ"'],
    ],
    ['ja', 'スティーブジョブズのサーバを', ['スティーブ・ジョブズ', 'サーバー']],
    ['zh-TW', '臺灣大學在臺北', ['台灣', '台北', '臺北']],
    ['da', 'Århus og Aalborg ved Øresund', ['Aarhus', 'Ålborg', 'Oeresund', 'arhus']],
    ['nb', 'Håkon', ['Haakon', 'hakon']],
    ['is', 'þing', ['thing']],
    ['az', 'Azərbaycan', ['Azerbaycan']],
    ['uz', 'Oʻzbekiston', ['Ozbekiston', "O'zbekiston"]],
    ['uk', 'п’ять', ['пять', "п'ять", 'пʼять']],
    ['ca', 'intel·ligència, col·legis', ['intelligencia', 'intel·ligència', 'collegi']],
    ['ml', 'അവൻ', ['അവന്‍', 'അവന്']],
    ['bn', 'ৎ হঠাৎ', ['হঠাত্']],
    ['am', 'ሠላም', ['ሰላም']],
    ['vi', 'kỹ thuật', ['kĩ thuật', 'ky thuat']],
    ['ar', 'مصطفى', ['مصطفي']],
  ])('in %s, %s', async (...row) => await searchAll(row));
});
