/**
 * What a part of a bar stands for; the colours have three levels of brightness, so that they differ without
 * colour vision.
 */
type Hue = 'main' | 'second' | 'third';

export interface Series {
  /** Key of its number in a point's `values`. */
  readonly key: string;
  readonly label: string;
  readonly hue: Hue;
}

/** @returns the sum of all series */
export function totalOf(values: Readonly<Record<string, number>>, series: readonly Series[]): number {
  return series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
}

export const inEnglish = (value: number): string => value.toLocaleString('en');
