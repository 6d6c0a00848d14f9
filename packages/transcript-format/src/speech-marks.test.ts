import { describe, expect, it } from '@jest/globals';
import { createSoundFinder, createTurnFinder, isSung } from './speech-marks.ts';
import { cue } from './test-support/cues.ts';

/** What each caption is cut into. */
const splitTurns = (...texts: string[]): string[] => {
  const findTurns = createTurnFinder(texts.map((text, index) => cue(index * 2_000, 2_000, text)));
  return texts.flatMap((text) => {
    const starts = [...new Set([0, ...findTurns(text)]), text.length];
    return starts.slice(1).map((end, index) => text.slice(starts[index], end).trim());
  });
};
const startsOf = (...texts: string[]) => {
  const findTurns = createTurnFinder(texts.map((text, index) => cue(index * 2_000, 2_000, text)));
  return texts.map((text) => findTurns(text));
};

const soundsOf = (...texts: string[]): boolean[] => {
  const isSound = createSoundFinder(texts.map((text, index) => cue(index * 2_000, 2_000, text)));
  return texts.map(isSound);
};
const isSoundMark = (text: string): boolean => soundsOf(text)[0] === true;

describe('a sound', () => {
  it.each([
    ...[
      '[Music]',
      '(♪♪♪)',
      '（笑声）',
      '【掌声】',
      '{applause}',
      '*music*',
      '[a] [b]',
      '- [Laughter]\n- (sighs)',
    ],
    ...['♩', '♪', '♫ ♬', '🎵', '🎶 🎶', '🎵\ufe0f', '- ♪', '— (door)'],
  ])('is no speech: %s', (text) => {
    expect(isSoundMark(text)).toBe(true);
  });

  it('is short, or the same again, also many times in a row', () => {
    const sounds = [
      '[Music]',
      '(door creaks)',
      '[Applause]',
      '[Music]',
      '（足音）',
      '（ドアの開く音）',
      '(rain falls on the roof)',
    ];
    expect(soundsOf(...sounds)).toEqual(sounds.map(() => true));
  });

  it.each([
    ['sentences', ['so', '(I walk home.)', 'and', '（我走回家了。）']],
    [
      'thoughts without marks',
      [
        '(I keep walking down this road)',
        '(and I wonder where it ends)',
        '(nobody knows it here)',
        '(not even the old man)',
      ],
    ],
    [
      'thoughts in a script without spaces',
      ['（我在这条路上走了很久）', '（不知道它通向哪里）', '（没有人认识我）', '（我继续走下去）'],
    ],
  ])('is no whole film: %s', (_what, texts) => {
    expect(soundsOf(...texts)).toEqual(texts.map(() => false));
  });

  it.each([
    '[ __ ]',
    '♪ la la ♪',
    'so *really* good',
    '{\\an8}',
    '- Yes',
    '- -',
    '***',
    '(no) yes',
    '2 * 3 * 4',
  ])('is not: %s', (text) => {
    expect(isSoundMark(text)).toBe(false);
  });
});

describe('>> begins a turn', () => {
  it.each(['>> 20 of us', '>> $5 each.', ">>> 7 o'clock", '>> “Yes.”', '>>… and so', '>> -- well', '>> ¿Sí?'])(
    'at the start of a line: %s',
    (line) => {
      expect(startsOf(line, `Well.\n${line}`)).toEqual([[0], [6]]);
    },
  );

  it.each(['Who? >> 20 of us.', '“Yes.” >> $5 each.', 'so we >> «No» he', 'and then >> … yes'])(
    'in a line: %s',
    (line) => {
      expect(startsOf(line)).toEqual([[line.indexOf('>>')]]);
    },
  );

  it('and is a shift of bits in code', () => {
    expect(startsOf('x >> 2 is', 'a >>= b', '>>= c', '>>>> d', 'x >> $y')).toEqual([[], [], [], [], []]);
  });
});

describe('a dash begins a turn', () => {
  it('in a caption with two such lines', () => {
    expect(splitTurns('- Where is it?\n- Over there.', '–Bitte.\n–Gern.', 'Well.\n- No?\n- 20 of us.')).toEqual(
      ['- Where is it?', '- Over there.', '–Bitte.', '–Gern.', 'Well.', '- No?', '- 20 of us.'],
    );
  });

  it('if three captions in a row begin with one', () => {
    expect(startsOf('so', '- Yes?', '- No.', '- Why?', '- Oh.', 'so', '- An item', '- Another')).toEqual([
      ...[[], [0], [0], [0], [0]],
      ...[[], [], []],
    ]);
  });

  it('and is no turn in one line, before a number or in a rule', () => {
    expect(startsOf('- Yes.', 'so', '-5 degrees\n-7 at night', '--\n--', 'a - b\nc - d')).toEqual([
      [],
      [],
      [],
      [],
      [],
    ]);
  });
});

const isTurn = (...texts: string[]) => startsOf(...texts).map((starts) => starts.length > 0);

describe('a name in brackets', () => {
  it.each([
    ['in square ones', ['[JOHN] Hi.', '[MARY] Yes?', 'so', '[JOHN] Ho.', '[MARY] No.'], [0, 1, 3, 4]],
    [
      'in round ones, and twice in a row',
      ['(MALE) Hi.', '(MALE) Ho.', '(FEMALE) Yes?', '(FEMALE)\nNo.'],
      [0, 2],
    ],
    ['in wide ones', ['（田中）どこへ', '（鈴木）家へ', '（田中）遠い', '（鈴木）いいえ'], [0, 1, 2, 3]],
    ['of a recogniser', ['[SPEAKER_00]: a', 'SPEAKER_00: b', '[SPEAKER_01]: c', 'SPEAKER_01: d'], [0, 2]],
  ])('begins a turn: %s', (_what, texts, turns) => {
    expect(isTurn(...texts)).toEqual(texts.map((_text, index) => turns.includes(index)));
  });

  it.each([
    [
      'sounds before speech',
      ['[Music] so', '[MUSIC] and', '(Laughs) I see', '(Laughs) yes', '（笑）そう', '（笑）はい'],
    ],
    ['one that stands once', ['[JOHN] Hi.', '[MARY] Yes?']],
    ['parts of words', ['(S)he said', '(S)he went']],
  ])('is none: %s', (_what, texts) => {
    expect(isTurn(...texts)).toEqual(texts.map(() => false));
  });
});

describe('a name before a colon', () => {
  it.each([
    ['a name with a capital', ['Ann: Hi.', 'so', 'Ann: Ho.']],
    ['a few names in turn', ['主持人：你好', '所以', '嘉宾：你好', '主持人：请', '嘉宾：好']],
    ['names with spaces behind the colon', ['أحمد: نعم', 'ثم', 'ليلى: لا', 'أحمد: لماذا', 'ليلى: هكذا']],
    ['question and answer', ['问：好吗', '所以', '答：好', '问：是吗', '答：是']],
  ])('is a speaker: %s', (_what, texts) => {
    expect(isTurn(...texts)).toEqual(texts.map((text) => /[:：]/.test(text)));
  });

  it.each([
    ['he said', ['他说：今天好', '他说：明天好', '他说：好']],
    ['he said, she said', ['他说：今天好', '她说：明天好', '他说：好', '她说：好']],
    ['what is quoted', ['老师：“好”', '学生：“是”', '老师：“对”', '学生：“好”']],
    ['a topic', ['理由は：簡単', '答えは：四', '理由は：時間', '答えは：五']],
    ['one word that comes back', ['注意：今天', '所以', '注意：明天']],
    ['he said in Arabic', ['قال: نعم', 'قالت: لا', 'قال: لا', 'قالت: نعم']],
    [
      'many headings',
      Array.from({ length: 26 }, (_, at) => `第${'甲乙丙丁戊己庚辛壬癸子丑寅'.charAt(at % 13)}章：好`),
    ],
  ])('is none: %s', (_what, texts) => {
    expect(isTurn(...texts)).toEqual(texts.map(() => false));
  });
});

describe('a line with a note', () => {
  it.each(['♪ a', '- ♪ a', '\u3000♪ a', '\t♪', 'a ♪', 'he said\n♪ b'])(
    'is sung if that stands at its start or end: %j',
    (text) => {
      expect(isSung(text)).toBe(true);
    },
  );

  it('is spoken if that stands between its words', () => {
    expect(isSung('a ♪ b')).toBe(false);
  });
});
