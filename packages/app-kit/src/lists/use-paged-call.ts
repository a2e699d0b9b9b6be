import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import type { CallQuery } from '@clinic/contracts';
import { api } from '../host/app.ts';
import type { CallArguments, Page, PagedCallId, Row } from '../api/api-client.ts';
import type { ApiProblem } from '../api/api-problem.ts';
import type { UseCallOptions } from '../api/use-call.ts';

export interface PagedCallOptions extends UseCallOptions {
  /** Rows per page, default 20. */
  readonly limit?: number;
  /** The address's parameter for the page, default `cursor`; each further list on a screen needs its own. */
  readonly name?: string;
  /** Parts of the path, by name. */
  readonly params?: Readonly<Record<string, string>>;
}

export interface PagedCall<T> {
  readonly rows: readonly T[];
  /** Rows of all pages; `undefined` until known, and if there are too many to count. */
  readonly total: number | undefined;
  /** There is nothing to show yet. */
  readonly loading: boolean;
  /** The previous page's or filter's rows are shown while new ones load. */
  readonly refreshing: boolean;
  /** There is nothing to show, because of this error. */
  readonly error: ApiProblem | undefined;
  /** Position of the first row among all, from 1; `undefined` if somebody opened a later page by a link. */
  readonly from: number | undefined;
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly next: () => void;
  /** The next page's cursor, if there is one. */
  readonly after?: string | undefined;
  readonly previous: () => void;
  readonly retry: () => void;
}

/** Cursors of the pages before this one, oldest first, carried in the history entry by list; '' is the first page. */
interface Trails {
  readonly trails?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Loads one page of a list. The page is in the address (`?cursor=`), so that Back, reload and a shared link show the same rows.
 *
 * @param query - filters of the list besides `limit` and `cursor`, see {@link useListState}
 */
export function usePagedCall<Id extends PagedCallId>(
  id: Id,
  query: Omit<CallQuery<Id>, 'limit' | 'cursor'>,
  { limit = 20, name = 'cursor', params, ...options }: PagedCallOptions = {},
): PagedCall<Row<Id>> {
  const [search, setSearch] = useSearchParams();
  const state: unknown = useLocation().state;
  const trails = (state as Trails | null)?.trails;
  const trail = trails?.[name] ?? [];
  const cursor = search.get(name) ?? '';
  const request = { ...query, limit, cursor };
  const page = useQuery<Page<Id>, ApiProblem>({
    queryKey: [id, { query: request, ...(params && { params }) }],
    queryFn: ({ signal }) => api.page(id, ...([{ query: request, params, signal }] as unknown as CallArguments<Id>)),
    placeholderData: keepPreviousData,
    ...options,
  });

  // While a page that failed is polled again, the query is pending: the reason stays on screen.
  const [reason, setReason] = useState<ApiProblem>();
  if (page.error && page.error !== reason) setReason(page.error);
  const error = page.data ? undefined : (page.error ?? (page.errorUpdateCount ? reason : undefined));

  function goTo(target: string, pagesBefore: readonly string[]): void {
    setSearch(
      (current) => {
        const changed = new URLSearchParams(current);
        if (target) changed.set(name, target);
        else changed.delete(name);
        return changed;
      },
      { state: { trails: { ...trails, [name]: pagesBefore } } satisfies Trails },
    );
  }

  const after = page.data?.next;
  return {
    rows: page.data?.rows ?? [],
    total: page.data?.total,
    loading: page.isPending && !error,
    refreshing: page.isPlaceholderData,
    error,
    from: cursor === '' || trail.length > 0 ? trail.length * limit + 1 : undefined,
    hasNext: after !== undefined && !page.isPlaceholderData,
    hasPrevious: cursor !== '',
    after,
    next: () => {
      if (after !== undefined) goTo(after, [...trail, cursor]);
    },
    // Somebody who came by a link has no previous pages: go to the first.
    previous: () => goTo(trail.at(-1) ?? '', trail.slice(0, -1)),
    retry: () => {
      // An outdated cursor may be rejected for good: start over.
      if (page.error?.status === 400 && cursor) goTo('', []);
      else {
        setReason(undefined);
        void page.refetch();
      }
    },
  };
}
