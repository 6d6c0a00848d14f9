import type { Surface } from '@tds/contracts';
import { z } from 'zod';

const SENDS = /messaging\.(?<verb>emit|enqueue)\w*\(\s*'(?<target>[^']+)'\s*,\s*(?:jsonb_build_object\()?/g;

type SentMessage = {
  readonly target: string;
  readonly isEvent: boolean;
  readonly keys: readonly string[] | null;
};

/** The arguments of a call, from behind its opening bracket. */
const argumentsIn = (text: string): string[] => {
  const args = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return args;
    if (character === ',' && depth === 0) args.push('');
    else args[args.length - 1] += character;
  }
  return args;
};

const isEven = (_argument: string, index: number): boolean => index % 2 === 0;

/** The messages of a function, with the keys of a payload that it builds in the call. */
const parseSends = (sql: string): SentMessage[] =>
  [...sql.matchAll(SENDS)].map((match) => {
    const { verb, target = '' } = match.groups ?? {};
    const isBuiltHere = match[0].endsWith('jsonb_build_object(');
    const built = isBuiltHere ? argumentsIn(sql.slice(match.index + match[0].length)) : null;
    const keys = built?.filter(isEven).map((key) => key.trim().replaceAll("'", '')) ?? null;
    return { target, isEvent: verb === 'emit', keys };
  });

const fieldsOf = (payload: z.ZodType): { readonly all: Set<string>; readonly required: string[] } => {
  const { properties = {}, required = [] } = z.toJSONSchema(payload, { io: 'input', unrepresentable: 'any' });
  return { all: new Set(Object.keys(properties)), required };
};

const wrongKeys = (keys: readonly string[], payload: z.ZodType): string[] => {
  const { all, required } = fieldsOf(payload);
  return [
    ...keys.filter((key) => !all.has(key)).map((key) => `has no field ${key}`),
    ...required.filter((key) => !keys.includes(key)).map((key) => `needs the field ${key}`),
  ];
};

/** The messages of an SQL function that its service's contract lacks or defines otherwise. */
export const wrongSends = ({ contract }: Pick<Surface, 'contract'>, sql: string): string[] =>
  parseSends(sql).flatMap(({ target, isEvent, keys }) => {
    const message = isEvent
      ? Object.values(contract.events).find(({ subject }) => subject === target)
      : Object.values(contract.tasks).find(({ wireName }) => wireName === target);
    if (!message) return [`${target} is not in the contract of ${contract.service}`];
    return keys === null ? [] : wrongKeys(keys, message.payload).map((problem) => `${target} ${problem}`);
  });
