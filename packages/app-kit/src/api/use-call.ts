import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { CallId, CallResponse } from '@clinic/contracts';
import { api } from '../host/app.ts';
import type { CallArguments, CallInput } from './api-client.ts';
import type { ApiProblem } from './api-problem.ts';

export interface UseCallOptions {
  /** `false`: doesn't load yet. */
  readonly enabled?: boolean;
  /** Milliseconds during which the response is shown without another request; default 15 s. */
  readonly staleTime?: number;
  /** Keeps the previous input's response (`isPlaceholderData`) while that of a changed input loads. */
  readonly keepPrevious?: boolean;
  /** Milliseconds after which a visible page loads it again; `false`, the default: doesn't. */
  readonly refetchInterval?: number | false;
}

/**
 * Loads the response of a reading call and keeps it fresh.
 *
 * @param input - `params` and `query` of the call; a changed input loads again
 */
export function useCall<Id extends CallId>(
  id: Id,
  input: CallInput<Id>,
  { keepPrevious, ...options }: UseCallOptions = {},
): UseQueryResult<CallResponse<Id>, ApiProblem> {
  return useQuery<CallResponse<Id>, ApiProblem>({
    queryKey: [id, input],
    queryFn: ({ signal }) => api.call(id, ...([{ ...input, signal }] as unknown as CallArguments<Id>)),
    placeholderData: keepPrevious ? keepPreviousData : undefined,
    ...options,
  });
}
