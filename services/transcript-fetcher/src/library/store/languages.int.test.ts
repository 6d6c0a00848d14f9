import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, openLibrary, type TestLibrary } from '../../test-support/library.ts';
import { dictionaries } from '../domain/dictionaries.ts';
import { createLexemes, STOP_SIGN } from '../domain/library-words.ts';
import { findLexemes } from './lexemes.ts';

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
    const { total } = await library.search(account, query);
    expect({ query, total }).toEqual({ query, total: found.includes(query) ? 1 : 0 });
  }
};

describe('a word of one language finds no function word that its stem happens to be', () => {
  it.each<Case>([
    [
      'de',
      'Er hat sich nicht gefreut, weil er nach uns war und will.',
      ['sich', 'hat sich', '"sich nicht"', 'gefreut -Sicherheit'],
      ['Sicherheit', 'Nichte', 'nächste', 'Weile', 'Wille', 'laser', 'hate', 'Ware'],
    ],
    [
      'fr',
      'Tu es dans la maison des mes amis.',
      ['dans', 'tu', 'maison'],
      ['danse', 'danser', 'tuer', 'désir', 'mesa'],
    ],
    [
      'es',
      'Las mis son más por los que con te.',
      ['las', 'más', 'mas', 'son'],
      ['láser', 'laser', 'sonido', 'masa', 'misa', 'losa', 'cono', 'poro', 'té'],
    ],
    [
      'pt',
      'Ela tem com eles dos mais.',
      ['tem', 'com', 'mais'],
      ['comida', 'comer', 'tema', 'temas', 'dose', 'come'],
    ],
    [
      'it',
      'Agli amici non ero per noi col tempo.',
      ['agli', 'noi', 'ero'],
      ['aglio', 'noia', 'eroe', 'cola', 'pera', 'nono', 'però'],
    ],
    [
      'nl',
      'Over de men kan met zal dan.',
      ['over', 'met', 'zal'],
      ['overheid', 'mens', 'kans', 'meten', 'zaal', 'danse', 'date'],
    ],
    [
      'sv',
      'Jag vad att mot man när för var.',
      ['att', 'vad', 'for', 'nar'],
      ['väder', 'åtta', 'möte', 'månad', 'jägare', 'motor', 'vader'],
    ],
    ['da', 'Han som mod var her.', ['som', 'var'], ['sommer', 'moderne', 'hane', 'varer']],
    ['nb', 'Han som mot var her.', ['som', 'mot'], ['sommer', 'mote', 'hane', 'varer']],
    ['ru', 'Тем при по за уж.', ['тем', 'при'], ['тема', 'темы', 'приём', 'поём', 'заём']],
    [
      'en',
      'He will be under and over it.',
      ['will', 'under', 'be'],
      ['willing', 'underlying', 'overly', 'beings'],
    ],
    ['tr', 'Bu da siz ile.', ['da', 'siz'], ['data', 'size']],
  ])('%s: %s', async (...row) => await searchAll(row));

  it('in any dictionary, whatever its accents', async () => {
    const words = [
      'laser',
      'motor',
      'date',
      'come',
      'data',
      'size',
      'hate',
      'star',
      'minute',
      'sicherheit',
      'comida',
      'тема',
      'väder',
      'té',
      'dés',
    ];
    const common = [
      'las',
      'mot',
      'dat',
      'com',
      'da',
      'siz',
      'hat',
      'sich',
      'тем',
      'vad',
      'te',
      'des',
      'más',
      'mas',
      'när',
      'nar',
      'también',
      'tambien',
    ];
    const lexemes = await findLexemes(library.sql, dictionaries, [...words, ...common, 'vader', 'de']);
    for (const [dictionary, byWord] of lexemes) {
      const lexemesOf = createLexemes((form) => byWord.get(form) ?? form);
      const stopLexemes = new Set(
        common
          .flatMap((word) => lexemesOf({ word, accented: undefined }))
          .filter((each) => each.startsWith(STOP_SIGN)),
      );
      for (const word of words)
        expect({
          dictionary,
          word,
          met: lexemesOf({ word, accented: word }).filter((each) => stopLexemes.has(each)),
        }).toEqual({ dictionary, word, met: [] });
    }
  });
});

describe('singular and plural of everyday nouns find each other', () => {
  it.each([
    [
      'es',
      'año años, ojo ojos, isla islas, arma armas, luz luces, vez veces, voz voces, imagen imágenes, joven jóvenes, examen exámenes, estado estados, sentido sentidos, casa casas, flor flores, país países, canción canciones, pez peces, origen orígenes',
    ],
    [
      'pt',
      'ano anos, olho olhos, ilha ilhas, obra obras, canção canções, região regiões, eleição eleições, avião aviões, leão leões, animal animais, jornal jornais, oficial oficiais, papel papéis, hotel hotéis, pão pães, homem homens, imagem imagens, casa casas, difícil difíceis, possível possíveis, informação informacoes',
    ],
    [
      'it',
      'anno anni, arma armi, lago laghi, amica amiche, casa case, libro libri, uomo uomini, stesso stessi, erba erbe, luogo luoghi, banca banche',
    ],
    [
      'fr',
      'avion avions, somme sommes, travail travaux, cheval chevaux, journal journaux, maison maisons, œil yeux, feu feux, vitrail vitraux',
    ],
    [
      'nl',
      'huis huizen, kind kinderen, brief brieven, haar haren, boek boeken, ei eieren, stad steden, schip schepen, dag dagen, prijs prijzen, kans kansen, mens mensen, gans ganzen, hals halzen, weg wegen, glas glazen, oorlog oorlogen',
    ],
    [
      'de',
      'Ware Waren, Ärztin Ärztinnen, Kinderärztin Kinderärztinnen, Lehrerin Lehrerinnen, Haus Häuser, Kind Kinder, Kollegin Kolleginnen, Frau Frauen, Tag Tage',
    ],
    ['sv', 'vara varor, flicka flickor'],
    ['ru', 'другой другие, какой какие, был были, книга книги'],
    ['en', 'have having, do doing, house houses, story stories'],
    ['et', 'raamat raamatutes, lugu lugusid'],
    ['hr', 'kuća kućama'],
    ['ms', 'baca membaca'],
    ['ar', 'كتب والكتب, مدرسة والمدرسة, كتاب الكتاب'],
    ['de', 'Müller Mueller'],
  ])('in %s: %s', async (languageCode, pairs) => {
    const account = newAccount();
    const list = pairs.split(', ').map((pair) => pair.split(' '));
    for (const [one = ''] of list) await library.addIndexed(account, [`${one}.`], { languageCode });
    const missing: string[] = [];
    for (const [one = '', many = ''] of list) {
      const { results } = await library.search(account, many);
      if (!results.some(({ text }) => text === `${one}.`)) missing.push(`${one} by ${many}`);
    }
    expect(missing).toEqual([]);
  });

  it.each([
    ['es', 'ojo hoja, sonido son, luz lux, vez ver, copa copia'],
    ['pt', 'mãe mau, pais pal, mais mal, seis sal, ano anel'],
    ['it', 'pesca pasta, lago legge, anno anello'],
    ['de', 'beginnen Begine, gewinnen Gewinde, innen in, Sinnen sin'],
    ['nl', 'huis huid, kind kin, brief bries, mens men, kans kan, fans fanatiek'],
    ['ar', 'والدين الدين'],
    ['fr', 'travail traverser, bail bal, yeux eux'],
    ['da', 'mode mad, vare var'],
  ])('in %s others stay apart', async (languageCode, apart) => {
    const account = newAccount();
    const list = apart.split(', ').map((pair) => pair.split(' '));
    const met: string[] = [];
    for (const [one = '', other = ''] of list) {
      await library.addIndexed(account, [`${one}.`], { languageCode });
      const { results } = await library.search(account, other);
      if (results.some(({ text }) => text === `${one}.`)) met.push(`${one} by ${other}`);
    }
    expect(met).toEqual([]);
  });
});

it('a monitor on ten everyday words mails for the videos of a mixed feed in which they are said, and for no other', async () => {
  const feed = [
    ['en', 'willing', 'She was willing to help.', 'He will be under it, by all means.'],
    ['de', 'Sicherheit', 'Es geht um alle Sicherheiten.', 'Er hat sich gefreut, weil er nach uns war.'],
    ['fr', 'danse', 'Les danses du soir.', 'Tu es dans la maison avec des amis.'],
    ['es', 'sonido', 'Los sonidos del mar.', 'Son las tres, y mis más por los que con te.'],
    ['pt', 'comida', 'Todas as comidas da casa.', 'Ela tem com eles dos mais.'],
    ['it', 'pera', 'Due pere al giorno.', 'Agli amici non ero per noi col tempo.'],
    ['nl', 'kans', 'Twee kansen zijn er.', 'Over de men kan met zal dan.'],
    ['sv', 'möte', 'Viktiga möten i dag.', 'Jag vad att mot man när för var.'],
    ['da', 'hane', 'To haner på gården.', 'Han som mod var her.'],
    ['ru', 'тема', 'Новые темы дня.', 'Тем при по за уж, не менее.'],
  ] as const;
  const words = feed.map(([, word]) => word);
  const { watch, accountId, monitorId, jobId } = await library.addWatch(words, { mail: 'now' });
  const add = async (languageCode: string, text: string) => {
    const { id, videoId } = await library.addTranscript([text], { languageCode });
    await library.receive(accountId, id, jobId);
    await library.index();
    await library.match(id, [watch]);
    return videoId;
  };
  const expected = new Map<string, string>();
  for (const [languageCode, word, right, wrong] of feed) {
    await add(languageCode, wrong);
    expected.set(await add(languageCode, right), word);
  }
  const mailed = library.mailedFor(monitorId).map(({ match }) => [match.video.video_id, match.query] as const);
  expect(mailed.toSorted()).toEqual([...expected].toSorted());
});
