import { type Channel, channelAt } from '@tds/simulators/platform';
import type { Customer } from './customers.ts';
import { type CallAnswer, makeCall } from './http-call.ts';
import { FIRST_GROWING, type Scene } from './scene.ts';
import { by, gatewayUrl } from './transcript-calls.ts';

/** The simulator's own seed, whatever that of the run is. */
const CATALOGUE_SEED = 1;
/** The others grow now and then: a listing of one of these stays the same. */
const CHANNELS = FIRST_GROWING;
/** A key may begin 25 listings on a day, each counted once. */
const CHANNELS_PER_CUSTOMER = 20;
const BY_HANDLE = 0.2;
const AGAIN = 0.25;
const ONWARDS = 0.25;

type Question = { readonly words: string; readonly continuation: string | null };
type Rows = { readonly video_id: string }[];

const idsIn = (rows: unknown): string[] => (rows as Rows).map((row) => row.video_id);

const nameOf = ({ words, continuation }: Question): string =>
  continuation === null ? words : `${words} after ${continuation}`;

const queryOf = ({ words, continuation }: Question): Record<string, string> => ({
  q: words,
  ...(continuation === null ? {} : { continuation }),
});

/** Searches that ask on, ask again and ask anew, and listings of channels that are fresh for moments only. */
export const createFindingCalls = (scene: Scene) => {
  const { history, customers, random, seed } = scene;
  const lastAsked = new Map<Customer, Question & { readonly next: string | null }>();
  let questions = 0;

  const questionOf = (customer: Customer): Question => {
    const last = lastAsked.get(customer);
    const choice = random.next();
    if (last && choice < AGAIN) return last;
    if (last?.next && choice < AGAIN + ONWARDS) return { words: last.words, continuation: last.next };
    questions += 1;
    return { words: `run ${seed} question ${questions}`, continuation: null };
  };

  const search = async (): Promise<CallAnswer | null> => {
    const customer = customers.take(random, 'search');
    if (!customer) return null;
    const question = questionOf(customer);
    lastAsked.set(customer, { ...question, next: null });
    customer.creditsUnderWay += 1;
    customer.searchesAsked += 1;
    const answer = await makeCall(history, {
      ...{ kind: 'search', url: gatewayUrl(scene, queryOf(question), 'search'), about: nameOf(question) },
      shown: ({ results }) => idsIn(results),
      ...by(customer),
    });
    customer.creditsUnderWay -= 1;
    customer.spent += answer.record.charged;
    const next = answer.json?.continuation;
    if (typeof next === 'string') lastAsked.set(customer, { ...question, next });
    return answer;
  };

  const channelFor = (customer: Customer): Channel => {
    const first = customers.all.indexOf(customer);
    const channel = channelAt(
      (first + random.between(0, CHANNELS_PER_CUSTOMER - 1)) % CHANNELS,
      CATALOGUE_SEED,
    );
    if (!channel) throw new Error('the simulator has fewer channels');
    return channel;
  };

  const list = async (): Promise<CallAnswer | null> => {
    const customer = customers.take(random, 'cached');
    if (!customer) return null;
    const { id, handle } = channelFor(customer);
    const url = gatewayUrl(scene, { url: random.next() < BY_HANDLE ? handle : id }, 'videos');
    const shown = ({ videos }: Record<string, unknown>) => idsIn(videos);
    return makeCall(history, { kind: 'list', url, about: id, shown, ...by(customer) });
  };

  return { search, list };
};
