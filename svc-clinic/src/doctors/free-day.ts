/** A doctor's earliest day with free times. */
export interface FreeDay {
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly date: string;
  /** 'HH:mm', ascending, at least one. */
  readonly times: readonly [string, ...string[]];
}
