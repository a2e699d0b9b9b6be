import assert from 'node:assert/strict';

/**
 * Asserts that a service's data are as they were, and otherwise shows the records that are not.
 *
 * @param now - from `ThreeServices.dump`, as `before`
 * @param except - collections that may differ
 */
export function assertUnchanged(now: string, before: string, except: readonly string[] = []): void {
  if (now === before) return;
  const [was, is] = [recordsOf(before, except), recordsOf(now, except)];
  const only = (those: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...those].filter((one) => !others.has(one));
  assert.deepEqual({ gone: only(was, is), made: only(is, was) }, { gone: [], made: [] });
}

const recordsOf = (dump: string, except: readonly string[]): ReadonlySet<string> =>
  new Set(
    (JSON.parse(dump) as [collection: string, records: unknown[]][])
      .filter(([collection]) => !except.includes(collection))
      .flatMap(([collection, records]) => records.map((record) => `${collection}: ${JSON.stringify(record)}`)),
  );
