import { hashText, type Random } from './random.ts';

const vocabularies: Record<string, string> = {
  en: 'the river keeps moving while small engines measure light and people talk about bread weather music numbers bridges don’t stop we can build another quiet morning together',
  de: 'der Fluss läuft weiter während kleine Geräte das Licht messen und Menschen über Brot Wetter Straßen Bücher grüne Hügel sprechen',
  fr: 'la rivière avance pendant que des machines mesurent la lumière et les gens parlent du pain été forêt où naît l’idée',
  es: 'el río sigue mientras las máquinas miden la luz y la gente habla del pan mañana montaña niño canción corazón',
  pt: 'o rio continua enquanto máquinas medem a luz e as pessoas falam de pão manhã canção coração irmão avó',
  no: 'elven renner videre mens små maskiner måler lyset og folk snakker om brød været blå fjord gjør øyene',
  fil: 'ang ilog ay dumadaloy habang sinusukat ng mga makina ang liwanag at nag-uusap ang mga tao tungkol sa tinapay',
  tr: 'nehir akarken küçük makineler ışığı ölçer ve insanlar ekmek hakkında konuşur güneş çiçek şarkı ağaç',
  vi: 'dòng sông vẫn chảy khi những cỗ máy nhỏ đo ánh sáng và mọi người nói về bánh mì thời tiết',
  ar: 'النهر يجري والآلات تقيس الضوء والناس يتحدثون عن الخبز والطقس والموسيقى في صباح هادئ',
  iw: 'הנהר ממשיך לזרום והמכונות מודדות את האור ואנשים מדברים על לחם ומזג אוויר בבוקר שקט',
  ru: 'река течёт дальше пока маленькие машины измеряют свет и люди говорят о хлебе погоде музыке утром',
  el: 'το ποτάμι κυλά ενώ μικρές μηχανές μετρούν το φως και οι άνθρωποι μιλούν για ψωμί μουσική πρωί',
  hi: 'नदी बहती रहती है और छोटी मशीनें प्रकाश मापती हैं लोग रोटी मौसम संगीत की बातें करते हैं',
  ko: '강은 계속 흐르고 작은 기계들이 빛을 재며 사람들은 빵과 날씨 음악에 대해 이야기한다',
  zh: '河流 继续 前进 小 机器 测量 光线 人们 谈论 面包 天气 音乐 早晨 安静 桥梁',
  ja: '川は 流れ続け 小さな 機械が 光を 測り 人々は パンや 天気や 音楽の 話を する 静かな朝',
  th: 'แม่น้ำ ไหลต่อไป เครื่องจักรเล็ก วัดแสง ผู้คน พูดถึง ขนมปัง อากาศ ดนตรี เช้าวันใหม่',
};

/** Scripts that are written without spaces between words. */
const unspaced = new Set(['zh', 'ja', 'th']);

const syllables = 'ka lo mi ren tu sa vel dor pi an es ur'.split(' ');
const wordLists = new Map(
  Object.entries(vocabularies).map(([language, list]) => [language, list.split(' ')]),
);

/** A language without a vocabulary gets made-up words of its own, so that tracks never look alike. */
const inventWords = (language: string): string[] =>
  Array.from({ length: 16 }, (_, index) =>
    [0, 1, 2].map((part) => syllables[hashText(`${language}${index}${part}`) % syllables.length]).join(''),
  );

const baseOf = (code: string): string => code.split('-')[0] ?? code;

/** What stands between two words of a language: a space or nothing. */
export const wordGlue = (code: string): string => (unspaced.has(baseOf(code)) ? '' : ' ');

/** `count` words of a language; codes with a region use the language's words. */
export const words = (code: string, count: number, random: Random): string[] => {
  const language = baseOf(code);
  const list = wordLists.get(language) ?? inventWords(language);
  return Array.from({ length: count }, () => random.pick(list));
};
