import type { RecordEvent, ServiceName } from '@clinic/contracts';

/** A change, and whose history it is from. */
export interface ListedEvent extends RecordEvent {
  readonly service: ServiceName;
}

/** What one service has told so far. */
export interface EventPart {
  readonly service: ServiceName;
  /** The latest first. */
  readonly rows: readonly RecordEvent[];
  /** Whether there are older ones that weren't asked for yet. */
  readonly more: boolean;
}

/**
 * The histories of several services as one, the latest first. Where a service has older events than it has told, the list
 * ends at the oldest told one: what lies before could miss some of its events.
 */
export function mergeEvents(parts: readonly EventPart[]): ListedEvent[] {
  const horizon = parts.filter(({ more }) => more).reduce((latest, { rows }) => maxOf(latest, rows.at(-1)?.at ?? ''), '');
  return parts
    .flatMap(({ service, rows }) => rows.map((row) => ({ ...row, service })))
    .filter(({ at }) => at >= horizon)
    .toSorted((a, b) => b.at.localeCompare(a.at) || b._id.localeCompare(a._id));
}

function maxOf(a: string, b: string): string {
  return a > b ? a : b;
}
