import { type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { Scroll } from '../parts/table.tsx';
import { day } from '../parts/time.tsx';
import { type Day, labelled, ticksTo, totalOf } from '../steps.ts';
import { number } from '../words.ts';

const HEIGHT = 180;
const LEFT = 40;
const ABOVE = 8;
const BELOW = 28;
const NARROW = 480;
const NARROW_DAYS = 14;
const LABEL_WIDTH = 64;
const series = [
  { kind: 'charged', name: 'Charged, 1 credit each' },
  { kind: 'cached', name: 'Cached, free' },
  { kind: 'failed', name: 'Failed, free' },
] as const;

/** Width of a box in pixels: a plot is drawn in them, so its text stays readable on a phone. */
const useWidth = () => {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
};

const Bar = ({ of, x, width, top }: { of: Day; x: number; width: number; top: number }) => {
  let y = HEIGHT;
  return series.map(({ kind }) => {
    const height = (of[kind] / top) * HEIGHT;
    y -= height;
    return height > 0 ? (
      <rect key={kind} className={kind} x={x} y={y} width={width} height={height} rx={2} />
    ) : null;
  });
};

type PlotProps = { days: readonly Day[]; width: number; onShow: (day: Day | null) => void };

const Plot = ({ days, width, onShow }: PlotProps) => {
  const ticks = ticksTo(Math.max(...days.map(totalOf)));
  const top = ticks.at(-1) ?? 1;
  const slot = (width - LEFT) / days.length;
  const withLabel = labelled(days.length, width - LEFT, LABEL_WIDTH);
  const point = ({ nativeEvent: { offsetX } }: MouseEvent) =>
    onShow(days[Math.floor((offsetX - LEFT) / slot)] ?? null);
  const y = (value: number) => ABOVE + HEIGHT * (1 - value / top);
  return (
    <svg
      className="plot"
      width={width}
      height={ABOVE + HEIGHT + BELOW}
      aria-hidden="true"
      onMouseMove={point}
      onMouseLeave={() => onShow(null)}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
            {number(tick)}
          </text>
        </g>
      ))}
      {days.map((one, index) => {
        const isLast = index === days.length - 1;
        return (
          <g key={one.date} className="day" transform={`translate(${LEFT + index * slot} ${ABOVE})`}>
            <rect className="catch" width={slot} height={HEIGHT} />
            <Bar of={one} x={slot * 0.2} width={slot * 0.6} top={top} />
            {withLabel.includes(index) && (
              <text x={isLast ? slot : slot / 2} y={HEIGHT + 20} textAnchor={isLast ? 'end' : 'middle'}>
                {day(one.date)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
};

/** One bar a day, two weeks if it is narrow, and the same numbers as a table. */
export const UsageBars = ({ days }: { days: readonly Day[] }) => {
  const [pointed, setPointed] = useState<Day | null>(null);
  const [box, width] = useWidth();
  const title = useId();
  const drawn = width < NARROW ? days.slice(-NARROW_DAYS) : days;
  const shown = pointed ?? days.at(-1);
  return (
    <figure className="usage" aria-labelledby={title}>
      <figcaption id={title} className="legend-row">
        {series.map(({ kind, name }) => (
          <span key={kind} className={`swatch ${kind}`}>
            {name}
          </span>
        ))}
        <output className="readout">
          {shown &&
            `${day(shown.date)}: ${number(shown.charged)} charged, ${number(shown.cached)} cached, ${number(shown.failed)} failed`}
        </output>
      </figcaption>
      <div ref={box}>{width > 0 && <Plot days={drawn} width={width} onShow={setPointed} />}</div>
      <details>
        <summary>View as table</summary>
        <Scroll label="Use by day">
          <table>
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                {series.map(({ kind, name }) => (
                  <th scope="col" className="number" key={kind}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((one) => (
                <tr key={one.date}>
                  <th scope="row">{one.date}</th>
                  {series.map(({ kind }) => (
                    <td className="number" key={kind}>
                      {number(one[kind])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </figure>
  );
};
