import { wireNameOf } from '@tds/contracts';
import { withSpan } from './telemetry.ts';

type Method = (...given: never[]) => Promise<unknown>;

/** The same methods, each inside a span of its own: `<prefix> look-up-video`. */
export const withSpans = <T extends { readonly [Name in keyof T]: Method }>(prefix: string, target: T): T =>
  Object.fromEntries(
    Object.entries<Method>(target).map(([name, method]) => {
      const spanName = `${prefix} ${wireNameOf(name)}`;
      return [
        name,
        (...given: never[]) => withSpan(spanName, { kind: 'client' }, () => method.apply(target, given)),
      ];
    }),
  ) as T;
