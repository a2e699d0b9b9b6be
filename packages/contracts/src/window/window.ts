/**
 * The contract version before the newest one. Teams deploy on different days, so it stays accepted until a date, by an
 * adapter that turns what was built for it into what the newest version expects.
 */
export interface PastContract {
  /** One less than the newest version. */
  readonly version: number;
  /** Last day of the adapter, 'yyyy-mm-dd'. `npm run release:check` fails after it, until the adapter is deleted. */
  readonly until: string;
}

/** The contract versions that are accepted. */
export interface ContractWindow {
  readonly newest: number;
  readonly oldest: number;
}

/** @returns the accepted versions: the newest one, and the previous one while it has an adapter */
export function windowOf(newest: number, past?: PastContract): ContractWindow {
  return { newest, oldest: past?.version ?? newest };
}

/**
 * Checks that a window keeps the project's promises.
 *
 * @param name - what the contract is for, e.g. `remotes`
 * @param released - the version of the last release
 * @param today - 'yyyy-mm-dd'
 * @returns one line for each fault: a raised version without an adapter, one that skips a version, an adapter past its
 *   date
 */
export function windowFaults(
  name: string,
  {
    newest,
    past,
    released,
    today,
  }: {
    readonly newest: number;
    readonly past: PastContract | undefined;
    readonly released: number;
    readonly today: string;
  },
): string[] {
  const faults: string[] = [];
  if (newest !== released && newest !== released + 1)
    faults.push(`the contract for ${name} went from ${released} to ${newest}: raise it by one, once a release`);
  if (newest === released + 1 && past?.version !== released)
    faults.push(`the contract for ${name} is ${newest}, and nothing adapts what was built for ${released}`);
  if (past && past.version !== newest - 1)
    faults.push(`the adapter for contract ${past.version} of ${name} should be for ${newest - 1}`);
  if (past && past.until < today)
    faults.push(`the adapter for contract ${past.version} of ${name} ended on ${past.until}: delete it`);
  return faults;
}
