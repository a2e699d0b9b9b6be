/** Natural step sizes: 1, 2 and 5 times a power of ten. */
const roundSteps = [1, 2, 5, 10] as const;

/**
 * Marks of an axis that starts at 0. The last one is at or above the largest value.
 *
 * @param most - the largest value
 * @param whole - the values are counts: no marks between whole numbers
 * @param about - desired number of steps
 */
export function axisMarks(most: number, whole: boolean, about = 4): number[] {
  const rough = (most > 0 ? most : 1) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = roundSteps.map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999_999) ?? rough;
  const used = whole ? Math.max(1, step) : step;
  const count = Math.max(1, Math.ceil((most / used) * 0.999_999));
  // Multiplied instead of added up: 0.1 + 0.2 wouldn't be a round mark.
  return Array.from({ length: count + 1 }, (_, place) => Number((place * used).toPrecision(12)));
}

/**
 * Label every nth point on the axis, so that labels don't overlap.
 *
 * @param room - pixels that a label needs, including the gap to the next
 * @param steps - allowed values of n, ascending
 */
export function namedEvery(points: number, width: number, room: number, steps: readonly number[]): number {
  const needed = (points * room) / Math.max(width, 1);
  return steps.find((step) => step >= needed) ?? Math.ceil(needed);
}

export interface Bar {
  /** Pixels from the start of the plot. */
  readonly start: number;
  readonly width: number;
}

/** Widest bar in pixels: few bars in a wide plot would look like walls. */
const widest = 30;

/**
 * Positions of bars on whole pixels, so that even ninety of them on a phone are equally sharp.
 *
 * @param count - number of bars
 * @param width - of the plot in pixels
 */
export function barsOf(count: number, width: number): Bar[] {
  const band = width / count;
  // Narrow bars have no gaps: one-pixel gaps would make them two and three pixels wide alternately, and flicker.
  const gap = band >= 8 ? band * 0.28 : band >= 5 ? 1 : 0;
  return Array.from({ length: count }, (_, place) => {
    const [from, to] = [Math.round(place * band), Math.round((place + 1) * band)];
    const wide = Math.min(widest, Math.max(1, Math.round(to - from - gap)));
    return { start: Math.round((from + to - wide) / 2), width: wide };
  });
}
