/** The result of one check. */
export interface Answer {
  /** E.g. `contract`. */
  readonly about: string;
  /** Why it must not be deployed; one line each. */
  readonly faults: readonly string[];
  /** What can't be checked from outside; one line each. */
  readonly unknown?: readonly string[];
  /** One line about it if nothing is wrong. */
  readonly fine: string;
}

/**
 * Exit codes for pipelines: it may be deployed, it must not, or that can't be checked, e.g. because the clinic doesn't
 * answer.
 */
export const exitCodes = { yes: 0, no: 1, unknown: 2 } as const;

/** @returns the answers as lines for people */
export function linesOf(name: string, url: string, answers: readonly Answer[]): string[] {
  const faults = answers.flatMap((answer) => answer.faults);
  return [
    ...answers.flatMap(({ about, faults: here, unknown = [], fine }) => {
      const lines = [...here.map((line) => `NO  ${line}`), ...unknown.map((line) => `?   ${line}`)];
      return (lines.length > 0 ? lines : [`ok  ${fine}`]).map((line, index) =>
        [(index === 0 ? about : '').padEnd(10), line].join(' '),
      );
    }),
    faults.length === 0
      ? `${name} may be deployed to ${url}.`
      : `${name} must not be deployed to ${url}: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`,
  ];
}

/** @returns the exit code for the answers */
export function exitCodeOf(answers: readonly Answer[]): number {
  return answers.some(({ faults }) => faults.length > 0) ? exitCodes.no : exitCodes.yes;
}
