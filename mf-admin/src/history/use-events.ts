import { api, useQuery, type ApiProblem } from '@clinic/app-kit';
import type { CallQuery, RecordEvent } from '@clinic/contracts';
import { useMemo } from 'react';
import type { EventPart, HistoryService } from './merge-events.ts';

/** Each service's history call. */
const calls = {
  identity: 'listIdentityEvents',
  clinic: 'listClinicEvents',
  pharmacy: 'listPharmacyEvents',
} as const satisfies Record<HistoryService, string>;

export type EventFilters = Omit<CallQuery<'listClinicEvents'>, 'limit' | 'cursor' | 'sort'>;

/** Most rows per response. */
const mostAtOnce = 200;

interface EventRows {
  readonly rows: readonly RecordEvent[];
  readonly more: boolean;
}

/** Requests pages until there are enough rows, or no more. */
async function readEvents(
  id: (typeof calls)[HistoryService],
  filters: EventFilters,
  count: number,
  signal: AbortSignal,
): Promise<EventRows> {
  const rows: RecordEvent[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.page(id, {
      query: { ...filters, limit: Math.min(mostAtOnce, count - rows.length), cursor },
      signal,
    });
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor !== undefined && rows.length < count);
  return { rows, more: cursor !== undefined };
}

/**
 * The latest events of one service.
 *
 * @param count - requested number
 */
export function useEvents(service: HistoryService, filters: EventFilters, count: number) {
  const id = calls[service];
  const { data, error, isPending, isFetching, refetch } = useQuery<EventRows, ApiProblem>({
    queryKey: [id, filters, count],
    queryFn: ({ signal }) => readEvents(id, filters, count, signal),
    // Existing rows stay while more of the same load; other filters have other rows.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[1]) === JSON.stringify(filters) ? before : undefined,
    staleTime: 0,
  });
  const part = useMemo<EventPart>(
    () => ({ service, rows: data?.rows ?? [], more: data?.more ?? false }),
    [service, data],
  );
  return { part, error: data ? null : error, loading: isPending, fetching: isFetching, retry: () => void refetch() };
}
