import type { Principal } from '@tds/contracts';
import { type CountedRead, countedRead, countReadLua } from './cache-reads.ts';
import { limitKeys } from './limits.ts';
import { BLOCK_LIFE_MS, type PermitAsk } from './permit-blocks.ts';

/*
 * What the admission script is asked and what it answers, as text: JSON costs Redis 40 % and this process 50 to
 * 90 % more for each request of a batch (measured), and hundreds of small arguments cost more than all the rest of
 * admission.
 *
 * An ask is a line of five words, parted by blanks:
 *   number    of the credential among the keys, from 1
 *   class     `free`, `paid` or `session`: which limits hold
 *   wanted    `+` a body that the gateway holds, `?` one that may be cached, `*` permits of such reads alone; `=` what counts as no
 *             read, but may have permits, `%` such permits alone; `-` none of these
 *   ahead     how many permits to take ahead, all or none
 *   back      permits to give back, `number:moment` as they were taken, or `0`
 *
 * An answer is three lines:
 *   wait      microseconds; 0 admits
 *   read      what became of counting the body: `-` there is none, `+` counted, `?` counted in a counter that may have been
 *             lost, `x` one too many for the day
 *   taken     the permits taken ahead, `number:moment`, or `0`
 */

/** Stands for a wanted body that the gateway holds itself, so that only its delivery is to be counted. */
export const HELD_BODY = '+';
/** Stands for a wanted body that may be cached elsewhere: counted as delivered, and given back if it is not. */
const SOUGHT_BODY = '?';
/** Stands for a request that may come: it is admitted and counted as a cached read, and its permit is taken ahead. */
export const PERMITS_ONLY = '*';
/** Stands for a request that is no cached read, and busy keys of which have permits taken ahead all the same. */
export const UNCOUNTED = '=';
/** The same for one that may come. */
export const UNCOUNTED_PERMITS = '%';

/** Whether a wanted key is that of a body which may be cached elsewhere. */
export const isSought = (wantedKey: string | null): wantedKey is string =>
  wantedKey !== null && wantedKey !== HELD_BODY && wantedKey !== UNCOUNTED;

export type AdmissionAsk = {
  readonly keyDigest: string;
  /** Null if the process does not know the key: then its projection is looked at. */
  readonly known: Principal | null;
  /** The key of a body that may be cached elsewhere, or one of the signs above. */
  readonly wantedKey: string | null;
};

/** The ask with the permits to take and to give back. */
export type RedisAsk = AdmissionAsk & { readonly block: PermitAsk };
/** One that the script can be asked. */
export type KnownAsk = RedisAsk & { readonly known: Principal };

/** What Redis said of one request. */
export type RedisAnswer =
  | { readonly kind: 'unknown-key' }
  | {
      readonly kind: 'decided';
      /** 0 admits. */
      readonly waitMs: number;
      /** As projected; null if it was known before. */
      readonly principal: Principal | null;
      readonly balance: string | null;
      readonly read: CountedRead;
      /** Permits taken ahead, as `number:moment`, or `0`. */
      readonly taken: string;
    };

export const MICROSECONDS = 1_000;
const LINES_PER_ANSWER = 3;
const NOTHING = '-';

/** In the order of the asks, as are the balances of their accounts. */
export const decodeAnswers = (text: string, balances: readonly (string | null)[]): RedisAnswer[] => {
  const lines = text.split('\n');
  const answers: RedisAnswer[] = [];
  for (let at = 0; at < lines.length; at += LINES_PER_ANSWER) {
    answers.push({
      kind: 'decided',
      waitMs: Number(lines[at]) / MICROSECONDS,
      principal: null,
      balance: balances[answers.length] ?? null,
      read: countedRead(lines[at + 1]),
      taken: lines[at + 2] ?? '0',
    });
  }
  return answers;
};

const signs: readonly string[] = [HELD_BODY, PERMITS_ONLY, UNCOUNTED, UNCOUNTED_PERMITS];

const wantedSign = (wantedKey: string | null): string => {
  if (wantedKey === null) return NOTHING;
  return signs.includes(wantedKey) ? wantedKey : SOUGHT_BODY;
};

const rateClassOf = ({ keyId, tier }: Principal): string => (keyId === null ? 'session' : tier);

/** The keys that the script may touch, three for each credential, and the lines for it. */
type EncodedAsks = { readonly keys: readonly string[]; readonly text: string };

export const encodeAsks = (day: string, asks: readonly KnownAsk[]): EncodedAsks => {
  const keys: string[] = [];
  const numbers = new Map<string, number>();
  const lines = asks.map(({ keyDigest, known, wantedKey, block: { ahead, back } }) => {
    const { accountId } = known;
    const number = numbers.get(keyDigest) ?? numbers.size + 1;
    if (number > numbers.size) {
      numbers.set(keyDigest, number);
      keys.push(
        limitKeys.rate(accountId, keyDigest),
        limitKeys.reads(accountId, day, known.limitId ?? NOTHING),
        limitKeys.readsSince(accountId),
      );
    }
    return `${number} ${rateClassOf(known)} ${wantedSign(wantedKey)} ${ahead} ${back}`;
  });
  return { keys, text: lines.join('\n') };
};

/**
 * Admission of the requests of a batch whose accounts have one hash tag; they come as `ARGV[4]` and are answered in the
 * format of `admit-wire.ts`. KEYS are three for each credential: its rate, its reads of the day, and since when those of its
 * account are counted.
 *
 * The rate is a log of the last `limit` admissions: a request passes unless the admission `limit` before it is
 * younger than the window. So no minute, wherever it starts, holds more than the limit, at the cost of a constant
 * number of steps. Refused requests leave no trace. If Redis is full, the first step that counts fails, and this
 * process decides alone.
 */
const LIFE_MICROS = BLOCK_LIFE_MS * 1_000;

export const admitScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local lastUse = now + ${LIFE_MICROS}
local window = tonumber(ARGV[1])
local freeLimit, paidLimit, freeReads, paidReads, sessionLimit = string.match(ARGV[2], '(%d+) (%d+) (%d+) (%d+) (%d+)')
local limits = { free = tonumber(freeLimit), paid = tonumber(paidLimit), session = tonumber(sessionLimit) }
local reads = { free = tonumber(freeReads), paid = tonumber(paidReads) }
local day = ARGV[3]
${countReadLua}
-- An admission counts from its moment, a permit taken ahead from the last at which it may be used. Moments never run
-- backwards, so an entry is younger than all before it, and whatever a minute holds was used in it.
local function push(rateKey, at, count)
  local newest = redis.call('LINDEX', rateKey, -1)
  local moment = newest and tonumber(newest) > at and newest or string.format('%.0f', at)
  local moments = {}
  for permit = 1, count do moments[permit] = moment end
  redis.call('RPUSH', rateKey, unpack(moments))
  return moment
end

-- Permits are taken ahead only where they are free now; those of cached reads each as one, and none towards the end of a day's
-- reads. Without a readsKey they are of no reads.
local function takeAhead(rateKey, limit, ahead, readsKey, readsLeft)
  if ahead == 0 or (readsKey and readsLeft < ahead * 50) then return 0 end
  local oldest = redis.call('LINDEX', rateKey, ahead - limit)
  if oldest and oldest + window > now then return 0 end
  local moment = push(rateKey, lastUse, ahead)
  redis.call('LTRIM', rateKey, -limit, -1)
  if readsKey then redis.call('INCRBY', readsKey, ahead) end
  return ahead, moment
end

local function giveBack(rateKey, readsKey, back)
  local unused, at = string.match(back, '(%d+):(%d+)')
  local removed = unused and redis.call('LREM', rateKey, -unused, at) or 0
  if removed > 0 and readsKey and redis.call('EXISTS', readsKey) == 1 then redis.call('DECRBY', readsKey, removed) end
end

local function admit(rateKey, limit, at)
  local oldest = redis.call('LINDEX', rateKey, -limit)
  local free = oldest and oldest + window or now
  if free > now then return free - now end
  local moment = push(rateKey, at, 1)
  if oldest then redis.call('LTRIM', rateKey, -limit, -1) end
  redis.call('PEXPIRE', rateKey, (window + ${LIFE_MICROS}) / 1000)
  return 0, moment
end

local answers = {}
local last = 0
for credential, class, wanted, ahead, back in string.gmatch(ARGV[4], '(%d+) (%S+) (%S+) (%S+) (%S+)') do
  local limit = limits[class]
  local rateKey, readsKey, sinceKey = KEYS[3 * credential - 2], KEYS[3 * credential - 1], KEYS[3 * credential]
  local isUncounted = wanted == '${UNCOUNTED}' or wanted == '${UNCOUNTED_PERMITS}'
  if isUncounted then readsKey = nil end
  if back ~= '0' then giveBack(rateKey, readsKey, back) end
  local isForPermits = wanted == '${PERMITS_ONLY}' or wanted == '${UNCOUNTED_PERMITS}'
  local wait, moment = admit(rateKey, limit, isForPermits and lastUse or now)
  local isHeld = wanted == '${HELD_BODY}' or wanted == '${PERMITS_ONLY}'
  local counted, readsLeft, taken = '-', 0, 0
  if wait == 0 and (isHeld or wanted == '${SOUGHT_BODY}') then
    counted, readsLeft = countRead(readsKey, sinceKey, day, reads[class])
  end
  if counted == '+' and isHeld or isUncounted and wait == 0 then
    local permits, lastMoment = takeAhead(rateKey, limit, tonumber(ahead), readsKey, readsLeft)
    if permits > 0 then taken, moment = permits, lastMoment end
  end
  if isForPermits and wait == 0 and counted ~= 'x' then taken = taken + 1 end
  answers[last + 1] = string.format('%.0f', wait)
  answers[last + 2] = counted
  answers[last + 3] = taken > 0 and taken .. ':' .. moment or '0'
  last = last + 3
end
return table.concat(answers, '\\n')
`;
