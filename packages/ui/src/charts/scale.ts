/** Steps that people count in: 1, 2 and 5 times a power of ten. */
const roundSteps = [1, 2, 5, 10] as const;

/**
 * Where an axis from 0 has its marks. The last one is at or above the greatest value.
 *
 * @param most - the greatest value that is drawn
 * @param whole - the values are counts: there is no mark between 1 and 2
 * @param about - how many steps there should be
 */
export function axisMarks(most: number, whole: boolean, about = 4): number[] {
  const rough = (most > 0 ? most : 1) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = roundSteps.map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999_999) ?? rough;
  const used = whole ? Math.max(1, step) : step;
  const count = Math.max(1, Math.ceil((most / used) * 0.999_999));
  // Multiplied instead of added up: 0.1 + 0.2 is no mark.
  return Array.from({ length: count + 1 }, (_, place) => Number((place * used).toPrecision(12)));
}

/**
 * Every how many of the points is named on the axis, so that the names don't run into each other.
 *
 * @param room - pixels that a name needs, with what lies between it and the next
 * @param steps - how far the names may lie apart, ascending
 */
export function namedEvery(points: number, width: number, room: number, steps: readonly number[]): number {
  const needed = (points * room) / Math.max(width, 1);
  return steps.find((step) => step >= needed) ?? Math.ceil(needed);
}

export interface Bar {
  /** Pixels from the beginning of the plot. */
  readonly start: number;
  readonly width: number;
}

/** The widest that a bar gets, in pixels: few bars in a wide plot would be walls. */
const widest = 30;

/**
 * Bars side by side, each on whole pixels, so that ninety of them on a phone are all as sharp.
 *
 * @param count - how many there are
 * @param width - of the plot in pixels
 */
export function barsOf(count: number, width: number): Bar[] {
  const band = width / count;
  // Narrow bars touch each other: gaps of one pixel would make them two and three pixels wide by turns, and flicker.
  const gap = band >= 8 ? band * 0.28 : band >= 5 ? 1 : 0;
  return Array.from({ length: count }, (_, place) => {
    const [from, to] = [Math.round(place * band), Math.round((place + 1) * band)];
    const wide = Math.min(widest, Math.max(1, Math.round(to - from - gap)));
    return { start: Math.round((from + to - wide) / 2), width: wide };
  });
}
