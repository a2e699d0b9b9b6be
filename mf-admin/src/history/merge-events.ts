import type { RecordEvent } from '@clinic/contracts';

/** The services whose histories the page merges. */
export type HistoryService = 'identity' | 'clinic' | 'pharmacy';

/** A change and the service whose history it is from. */
export interface ListedEvent extends RecordEvent {
  readonly service: HistoryService;
}

/** What one service has returned so far. */
export interface EventPart {
  readonly service: HistoryService;
  /** Latest first. */
  readonly rows: readonly RecordEvent[];
  /** Whether there are older ones that haven't been requested yet. */
  readonly more: boolean;
}

/**
 * Merges several services' histories, latest first. If a service has older events than it has returned, the list ends at its
 * oldest returned one: anything earlier could lack some of its events.
 */
export function mergeEvents(parts: readonly EventPart[]): ListedEvent[] {
  const oldestReturned = parts.filter(({ more }) => more).map(({ rows }) => rows.at(-1)?.at ?? '');
  const horizon = oldestReturned.toSorted().at(-1) ?? '';
  return parts
    .flatMap(({ service, rows }) => rows.map((row) => ({ ...row, service })))
    .filter(({ at }) => at >= horizon)
    .toSorted((a, b) => b.at.localeCompare(a.at) || b._id.localeCompare(a._id));
}
