import { totalOf, type Series } from './series.ts';

interface TooltipProps {
  /** Middle of its bar, in pixels from the left of the chart. */
  readonly x: number;
  /** Width of the chart, in pixels. */
  readonly width: number;
  readonly title: string;
  readonly values: Readonly<Record<string, number>>;
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

/** What a bar stands for, shown on the side with more room. Assistive technology reads it as the value of the chart's slider. */
export function Tooltip({ x, width, title, values, series, format }: TooltipProps) {
  const distance = 14;
  const side = x < width / 2 ? { left: x + distance } : { right: width - x + distance };
  return (
    <div aria-hidden="true" className="ui-chart-tooltip" style={side}>
      <p className="ui-chart-tooltip-title">{title}</p>
      <dl>
        {series.toReversed().map(({ key, label, hue }) => (
          <div key={key}>
            <dt>
              <i data-hue={hue} className="ui-chart-swatch" />
              {label}
            </dt>
            <dd>{format(values[key] ?? 0)}</dd>
          </div>
        ))}
        {series.length > 1 && (
          <div>
            <dt>All</dt>
            <dd>{format(totalOf(values, series))}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
