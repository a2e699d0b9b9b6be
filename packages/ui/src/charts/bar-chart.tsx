import { useRef, useState, type PointerEvent } from 'react';
import { axisMarks, barsOf, namedEvery, type Bar } from './scale.ts';
import { inEnglish, totalOf, type Series } from './series.ts';
import { Tooltip } from './tooltip.tsx';
import { useWidth } from './use-width.ts';

export type { Series } from './series.ts';

/** One bar. */
export interface Point {
  /** Label on the axis, if there is room: 'Nov 2'. */
  readonly label: string;
  /** Full label: 'Mon, Nov 2, 2026'. */
  readonly name: string;
  /** By key of the series. */
  readonly values: Readonly<Record<string, number>>;
}

export interface BarChartProps {
  /** What the chart shows, for assistive technology, e.g. 'Appointments by day'. */
  readonly label: string;
  readonly points: readonly Point[];
  /** From the axis up. */
  readonly series: readonly Series[];
  /** Formats a value; counts need no format. */
  readonly format?: (value: number) => string;
  /** Formats an axis mark, shorter than a value. */
  readonly formatMark?: (value: number) => string;
  /** The values aren't counts: the axis may have fractional marks. */
  readonly fractions?: boolean;
}

/** CSS pixels: height of the plot, of the space above it, and of the labels below it. */
const height = 200;
const above = 10;
const below = 28;
/** Room for an axis label, including the gap to the next. */
const nameRoom = 64;
/** Labels of days are one or more weeks apart, or adjacent. */
const nameSteps = [1, 2, 7, 14, 28];

/**
 * Bars over time, stacked if there are several series. One Tab stop: arrow keys, Home and End move through the bars;
 * pointing at or touching a bar shows it. The figures are also in the table of the {@link ChartPanel}.
 */
export function BarChart({
  label,
  points,
  series,
  format = inEnglish,
  formatMark = format,
  fractions = false,
}: BarChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>(640);
  const [shown, setShown] = useState<number>();
  // Where the keyboard continues, even if nothing is shown; the latest bar at first.
  const [cursor, setCursor] = useState<number>();
  const walker = useRef<HTMLInputElement>(null);

  const marks = axisMarks(Math.max(0, ...points.map(({ values }) => totalOf(values, series))), !fractions);
  const top = marks.at(-1) ?? 1;
  const markTexts = marks.map(formatMark);
  const left = Math.ceil(Math.max(...markTexts.map((text) => text.length)) * 7.2) + 10;
  const plot = Math.max(width - left, 40);
  const layout = { left, plot, width };
  const bars = barsOf(points.length, plot);
  const yOf = (value: number): number => Math.round(above + height - (value / top) * height);
  const last = points.length - 1;
  const at = Math.min(shown ?? cursor ?? last, last);
  const point = points[at];

  function show(place: number | undefined): void {
    const next = place === undefined ? undefined : Math.max(0, Math.min(last, place));
    setShown(next);
    if (next !== undefined) setCursor(next);
  }

  function onPointer(event: PointerEvent<HTMLElement>): void {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
    show(x < 0 ? undefined : Math.floor((x / plot) * points.length));
  }

  return (
    <div className="ui-chart" ref={frame}>
      <div
        className="ui-chart-plot"
        role="presentation"
        onPointerMove={onPointer}
        onPointerLeave={(event) => event.pointerType === 'mouse' && show(undefined)}
        onPointerDown={(event) => {
          // So that the tooltip opened by touch closes on the next tap elsewhere. Focus alone would show the latest bar.
          walker.current?.focus({ preventScroll: true });
          onPointer(event);
          event.preventDefault();
        }}
      >
        {/* A slider, because keyboards and screen readers know how to move through its values. */}
        <input
          ref={walker}
          type="range"
          className="ui-chart-walker"
          aria-label={`${label}, one bar at a time`}
          min={0}
          max={last}
          value={at}
          aria-valuetext={point && inWords(point, series, format)}
          onChange={(event) => show(Number(event.target.value))}
          onKeyDown={({ key }) => key === 'Escape' && setShown(undefined)}
          onFocus={(event) => event.currentTarget.matches(':focus-visible') && show(at)}
          onBlur={() => setShown(undefined)}
        />
        <Drawing
          {...{ points, series, marks, markTexts, bars, layout, yOf, pointed: shown === undefined ? undefined : at }}
        />
        {shown !== undefined && point && bars[at] && (
          <Tooltip
            x={left + bars[at].start + bars[at].width / 2}
            width={width}
            title={point.name}
            values={point.values}
            series={series}
            format={format}
          />
        )}
      </div>
    </div>
  );
}

/** Widths in CSS pixels: of the whole drawing, of the axis labels on its left, and of the plot. */
interface Layout {
  readonly left: number;
  readonly plot: number;
  readonly width: number;
}

interface DrawingProps extends Pick<BarChartProps, 'points' | 'series'> {
  readonly marks: readonly number[];
  readonly markTexts: readonly string[];
  readonly bars: readonly Bar[];
  readonly layout: Layout;
  readonly yOf: (value: number) => number;
  /** Index of the bar that is shown. */
  readonly pointed: number | undefined;
}

function Drawing({ points, series, marks, markTexts, bars, layout, yOf, pointed }: DrawingProps) {
  const { left, plot, width } = layout;
  return (
    <svg
      width={width}
      height={above + height + below}
      viewBox={`0 0 ${width} ${above + height + below}`}
      aria-hidden="true"
      focusable="false"
    >
      {marks.map((mark, place) => (
        <g key={mark}>
          <line
            className={place === 0 ? 'ui-chart-base' : 'ui-chart-line'}
            x1={left}
            x2={width}
            y1={yOf(mark) + 0.5}
            y2={yOf(mark) + 0.5}
          />
          <text className="ui-chart-text" x={left - 8} y={yOf(mark)} dy="0.35em" textAnchor="end">
            {markTexts[place]}
          </text>
        </g>
      ))}
      {pointed !== undefined && (
        <rect
          className="ui-chart-cursor"
          x={left + Math.round((pointed * plot) / points.length)}
          y={above}
          width={Math.max(2, Math.round(plot / points.length))}
          height={height}
        />
      )}
      {points.map(({ values, name }, place) => {
        const bar = bars[place];
        return (
          bar && (
            <Stack key={name} values={values} series={series} bar={{ ...bar, start: bar.start + left }} yOf={yOf} />
          )
        );
      })}
      <Names points={points} bars={bars} layout={layout} />
    </svg>
  );
}

function Names({ points, bars, layout: { left, plot, width } }: Pick<DrawingProps, 'points' | 'bars' | 'layout'>) {
  const every = namedEvery(points.length, plot, nameRoom, nameSteps);
  return points.map(({ label: text, name }, place) => {
    const bar = bars[place];
    if (!bar || place % every !== 0) return null;
    const middle = left + bar.start + bar.width / 2;
    const leaves = middle + nameRoom / 2 > width;
    return (
      <text
        key={name}
        className="ui-chart-text"
        x={leaves && place > 0 ? width : middle}
        y={above + height + 20}
        textAnchor={leaves && place > 0 ? 'end' : 'middle'}
      >
        {text}
      </text>
    );
  });
}

/** Text of one bar: 'Mon, Nov 2, 2026: 5, of these Confirmed 3, Pending 2'. */
function inWords({ name, values }: Point, series: readonly Series[], format: (value: number) => string): string {
  const total = format(totalOf(values, series));
  if (series.length === 1) return `${name}: ${total}`;
  const parts = series
    .filter(({ key }) => (values[key] ?? 0) > 0)
    .map(({ key, label }) => `${label} ${format(values[key] ?? 0)}`);
  return `${name}: ${total}${parts.length > 0 ? `, of these ${parts.join(', ')}` : ''}`;
}

interface StackProps {
  readonly values: Readonly<Record<string, number>>;
  readonly series: readonly Series[];
  readonly bar: Bar;
  readonly yOf: (value: number) => number;
}

function Stack({ values, series, bar, yOf }: StackProps) {
  let sum = 0;
  const parts = series
    .filter(({ key }) => (values[key] ?? 0) > 0)
    .map(({ key, hue }) => {
      const from = sum;
      sum += values[key] ?? 0;
      return { key, hue, from, to: sum };
    });
  return parts.map(({ key, hue, from, to }, place) => {
    const bottom = yOf(from);
    // Small values stay visible; parts that are high enough are separated by a line of background.
    const roof = Math.min(yOf(to), bottom - 1);
    const gap = place > 0 && bottom - roof > 3 ? 1 : 0;
    return (
      <path
        key={key}
        data-hue={hue}
        className="ui-chart-bar"
        d={barPath(bar, roof, bottom - gap, place === parts.length - 1)}
      />
    );
  });
}

/** @param round - with rounded upper corners */
function barPath({ start, width }: Bar, roof: number, bottom: number, round: boolean): string {
  const corner = round && width >= 5 ? Math.min(4, width / 2, bottom - roof) : 0;
  return `M${start} ${bottom}V${roof + corner}q0 ${-corner} ${corner} ${-corner}H${start + width - corner}q${corner} 0 ${corner} ${corner}V${bottom}z`;
}
