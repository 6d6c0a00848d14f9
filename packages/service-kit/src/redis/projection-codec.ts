import type { Projection } from '@tds/contracts';
import type { z } from 'zod';

/** A projected value as Redis keeps it. The version stands first, so that a script compares it without parsing the value. */
export const encodeProjection = (value: unknown, version = 0): string =>
  `{"version":${version},"value":${JSON.stringify(value)}}`;

/** Null if the text is not ours, was cut off, or has another shape: as good as absent. */
export const decodeProjection = <P extends Projection>(
  projection: P,
  text: string,
): z.output<P['value']> | null => {
  try {
    const { data } = projection.value.safeParse((JSON.parse(text) as { value?: unknown } | null)?.value);
    return (data ?? null) as z.output<P['value']> | null;
  } catch {
    return null;
  }
};

/** The same for scripts that Redis runs; `text` is a Lua expression. */
export const projectionLua = {
  versionOf: (text: string): string => `tonumber(string.match(${text}, '^{"version":(%d+),'))`,
  valueOf: (text: string): string => `cjson.decode(${text}).value`,
};
