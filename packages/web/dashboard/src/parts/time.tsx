import { away } from '../away.ts';

/** In the zone of the browser, and with its name. */
const exact = new Intl.DateTimeFormat('en-GB', {
  ...({ day: 'numeric', month: 'short', year: 'numeric' } as const),
  ...({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const),
});

/** `2026-03-01` as `1 Mar`. */
export const day = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });

/** How long ago or how soon; under the pointer the moment itself. */
export const Time = ({ at, never = 'never' }: { at: string | null; never?: string }) => {
  if (at === null) return <span className="soft">{never}</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {away(date)}
    </time>
  );
};

/** The moment itself. */
export const Moment = ({ at }: { at: string }) => <time dateTime={at}>{exact.format(new Date(at))}</time>;
