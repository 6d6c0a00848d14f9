import { createHash } from 'node:crypto';

/** Letters by the script that they take the place of. */
const alphabets: readonly (readonly [RegExp, string])[] = [
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyz'],
  [/[A-Z]/, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [/[0-9]/, '0123456789'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзиклмнопрстуфхцчшэюя'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/\p{Script=Arabic}/u, 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'],
  [/\p{Script=Hebrew}/u, 'אבגדהוזחטיכלמנסעפצקרשת'],
  [/\p{Script=Devanagari}/u, 'कखगघचछजझटठडढतथदधनपफबभमयरलवशसह'],
  [/\p{Script=Hangul}/u, '가나다라마바사아자차카타파하'],
  [/\p{Script=Hiragana}/u, 'あいうえおかきくけこさしすせそ'],
  [/\p{Script=Katakana}/u, 'アイウエオカキクケコサシスセソ'],
  [/\p{Script=Han}/u, '山川日月火水木金土人口中小大'],
  [/\p{Script=Latin}/u, 'àéîõüñçåøß'],
  [/[\p{L}\p{N}]/u, 'ɐɓɔɗɘəɛɠɡɢ'],
];

/** One made-up character of the same kind; whatever is no letter and no digit stays. */
const scrambled = (character: string, byte: number): string => {
  const letters = alphabets.find(([pattern]) => pattern.test(character))?.[1];
  if (letters === undefined) return character;
  const others = [...letters].filter((letter) => letter !== character);
  return others[byte % others.length] ?? character;
};

const madeUp = (token: string, attempt: number): string => {
  const characters = [...token];
  const bytes = createHash('shake256', { outputLength: characters.length })
    .update(`${attempt} ${token}`)
    .digest();
  return characters.map((character, at) => scrambled(character, bytes[at] ?? 0)).join('');
};

/** Words, names and ids: what a text is cut into. */
const TOKEN = /[\p{L}\p{M}\p{N}_-]+/gu;
export const tokensOf = (text: string): readonly string[] => text.match(TOKEN) ?? [];

/** Prefixes that say what an id is of, before the id itself; a channel's id stands without its prefix in places. */
const PREFIXED = /^((?:VL)?(?:UC|UULF|UUSH|UULV|UU|PL|OL|RD)|VL)([\w-]{16,})$/;
/** Shorter words of made-up letters are somebody's by chance. */
export const LEAST_LENGTH = 6;

/** Replaces words, names and ids, the same by the same, by what is none of `originals`. */
export const createReplacer = (originals: ReadonlySet<string>) => {
  const replaced = (token: string): string => {
    const [, prefix, rest] = PREFIXED.exec(token) ?? [];
    if (prefix !== undefined && rest !== undefined) return prefix + replaced(rest);
    for (let attempt = 0; ; attempt += 1) {
      const made = madeUp(token, attempt);
      if (made.length < LEAST_LENGTH || !originals.has(made)) return made;
    }
  };
  return (text: string): string => text.replace(TOKEN, replaced);
};
export type Replace = ReturnType<typeof createReplacer>;
