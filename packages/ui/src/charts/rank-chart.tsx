import { inEnglish, totalOf, type Series } from './series.ts';

/** One row. */
export interface RankRow {
  readonly key: string;
  readonly name: string;
  /** Below the name, e.g. a specialty. */
  readonly detail?: string;
  readonly values: Readonly<Record<string, number>>;
}

export interface RankChartProps {
  /** In display order. */
  readonly rows: readonly RankRow[];
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
  /** Rows shown; the panel's table has all. */
  readonly most?: number;
}

/** Horizontal bars by name, with their value. Everything is visible, so there is nothing to point at. */
export function RankChart({ rows, series, format = inEnglish, most = 8 }: RankChartProps) {
  const greatest = Math.max(1, ...rows.map(({ values }) => totalOf(values, series)));
  const shown = rows.slice(0, most);
  return (
    <div className="ui-rank" aria-hidden="true">
      {shown.map(({ key, name, detail, values }) => (
        <div key={key} className="ui-rank-row">
          <p className="ui-rank-name">
            {name}
            {detail && <span className="ui-rank-detail">{detail}</span>}
          </p>
          <p className="ui-rank-value">{format(totalOf(values, series))}</p>
          <div className="ui-rank-track">
            {series.map(
              ({ key: part, hue }) =>
                (values[part] ?? 0) > 0 && (
                  <span
                    key={part}
                    data-hue={hue}
                    className="ui-rank-bar"
                    style={{ width: `${((values[part] ?? 0) / greatest) * 100}%` }}
                  />
                ),
            )}
          </div>
        </div>
      ))}
      {rows.length > shown.length && (
        <p className="ui-hint">and {inEnglish(rows.length - shown.length)} more in the table</p>
      )}
    </div>
  );
}
