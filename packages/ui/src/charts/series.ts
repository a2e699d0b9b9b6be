/** What a part of a bar stands for; the colours keep three steps of brightness apart, so that they are told apart without seeing colours, too. */
export type Hue = 'main' | 'second' | 'third';

export interface Series {
  /** Name of its number in a point's `values`. */
  readonly key: string;
  readonly label: string;
  readonly hue: Hue;
}

/** @returns the sum over all series */
export function totalOf(values: Readonly<Record<string, number>>, series: readonly Series[]): number {
  return series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
}

export const inEnglish = (value: number): string => value.toLocaleString('en');
