import type { Cue, Word } from '@tds/contracts';

/** Clauses as people say them, without marks. */
export const spokenClauses: Readonly<Record<string, readonly string[]>> = {
  en: [
    'so today I want to show you how the old bridge was built',
    'because nobody had written down a single measure of it',
    'and the first thing that we did was to walk along the river',
    'we took a very long rope with us',
    'now the water is not deep here',
    'but in the spring it can rise by more than a meter',
    'if you look at the stones on the left side',
    'you can see the marks of the tools that they used',
    'okay let us go on to the next part of the story',
    'the people of the village paid for the wood and for the iron',
    'which was a lot of money in those days',
    'and I think that this is the reason why it still stands',
    'then a storm came and it took away the roof of the mill',
    'when they came back in the morning there was nothing left',
    'well my grandmother told me about that night many times',
    'she was only six years old',
    'so the question is what we are going to do with the rest of it',
    'some of them would like to build a new road',
    'others say that it should stay as it is',
    'and that is what the meeting next week is about',
  ],
  de: [
    'also heute zeige ich euch wie die alte Brücke gebaut wurde',
    'weil niemand auch nur ein einziges Maß aufgeschrieben hatte',
    'und zuerst sind wir am Fluss entlang gelaufen',
    'wir hatten ein sehr langes Seil dabei',
    'jetzt ist das Wasser hier nicht besonders tief',
    'aber im Frühling steigt es um mehr als einen Meter',
    'wenn man sich die Steine auf der linken Seite ansieht',
    'dann erkennt man die Spuren von den Werkzeugen',
    'okay gehen wir weiter zum nächsten Teil der Geschichte',
    'die Leute aus dem Dorf haben das Holz und das Eisen bezahlt',
    'das war damals wirklich eine Menge Geld',
    'und ich glaube dass sie deshalb noch immer steht',
    'dann kam ein Sturm und nahm das Dach von der Mühle mit',
    'als sie am Morgen zurückkamen lag alles im Wasser',
    'meine Großmutter erzählte mir oft von dieser Nacht',
    'sie war erst sechs Jahre alt',
    'jetzt ist die Frage was wir mit dem Rest machen',
    'einige von ihnen möchten gern eine neue Straße bauen',
    'andere sagen dass alles so bleiben soll wie früher',
    'und darum geht es nächste Woche bei der Versammlung',
  ],
  es: [
    'bueno hoy quiero enseñaros cómo se construyó el puente viejo',
    'porque nadie había apuntado ni una sola medida',
    'y lo primero que hicimos fue caminar a lo largo del río',
    'llevábamos una cuerda muy larga',
    'ahora el agua no es profunda en esta parte',
    'pero en primavera puede subir más de un metro',
    'si os fijáis en las piedras del lado izquierdo',
    'podéis ver las marcas de las herramientas',
    'vale vamos a la siguiente parte de la historia',
    'la gente del pueblo pagó la madera y el hierro',
    'que en aquellos tiempos era mucho dinero',
    'y creo que por eso sigue en pie',
    'luego llegó una tormenta y se llevó el tejado del molino',
    'cuando volvieron por la mañana no quedaba nada',
    'entonces mi abuela me habló muchas veces de aquella noche',
    'ella tenía solamente seis años',
    'así que la pregunta es qué vamos a hacer con el resto',
    'algunos de los vecinos quieren una carretera nueva',
    'otros dicen que se tiene que quedar como siempre',
    'y de eso se va a hablar en la reunión del lunes',
  ],
  tr: [
    'şimdi size bu eski köprünün nasıl yapıldığını göstermek istiyorum',
    'çünkü hiç kimse tek bir ölçü bile yazmamış',
    've önce bütün nehir boyunca yürüdük',
    'yanımızda çok uzun bir ip vardı',
    'ama burada su o kadar derin değil',
    'fakat ilkbaharda bir metreden daha fazla yükseliyor',
    'eğer sol taraftaki taşlara bakarsanız',
    'o zaman eski aletlerin izlerini görürsünüz',
    'peki hikayenin bir sonraki bölümüne geçelim',
    'köyün insanları hem odunu hem de demiri ödemiş',
    'bu da o günlerde çok büyük bir paraydı',
    've bence köprü bu yüzden hala ayakta duruyor',
    'sonra bir fırtına çıktı ve değirmenin çatısını götürdü',
    'sabah geri geldiklerinde hiçbir şey kalmamıştı',
    'yani büyükannem bana bu geceyi çok kez anlattı',
    'daha altı yaşındaydı',
    'şimdi bizim sorumuz geri kalanıyla ne yapacağımız',
    'bazı komşular yeni bir yol yapmak istiyor',
    'diğer insanlar her şeyin böyle kalmasını söylüyor',
    've gelecek hafta bu konu için toplanıyoruz',
  ],
};

/** The same numbers in each run, from 0 to 1. */
const createDraws = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const WORDS_PER_CUE = 7;
const SHOWN_MS = 4_500;

export type Speech = {
  readonly cues: readonly Cue[];
  /** The number of words before the end of each clause. */
  readonly clauseEnds: ReadonlySet<number>;
};

/**
 * Recognised speech: captions of seven words, with times. People pause between clauses, most often shortly, and hesitate inside of them, and
 * then longer.
 */
export const recogniseSpeech = (language: string, clauseCount: number): Speech => {
  const draw = createDraws(11);
  const clauses = spokenClauses[language] ?? [];
  const words: Word[] = [];
  const clauseEnds = new Set<number>();
  let ms = 1_000;
  for (let count = 0; count < clauseCount; count += 1) {
    for (const text of clauses[Math.floor(draw() * clauses.length)]?.split(' ') ?? []) {
      words.push({ startMs: Math.round(ms), text: words.length % WORDS_PER_CUE === 0 ? text : ` ${text}` });
      ms += 120 + 60 * text.length * (0.7 + draw() * 0.6) + (draw() < 0.07 ? 500 + draw() * 900 : 0);
    }
    clauseEnds.add(words.length);
    ms += draw() * 600;
  }
  const cues = Array.from({ length: Math.ceil(words.length / WORDS_PER_CUE) }, (_, at): Cue => {
    const said = words.slice(at * WORDS_PER_CUE, (at + 1) * WORDS_PER_CUE);
    const startMs = said[0]?.startMs ?? 0;
    return { startMs, durationMs: SHOWN_MS, text: said.map(({ text }) => text).join(''), words: said };
  });
  return { cues, clauseEnds };
};
