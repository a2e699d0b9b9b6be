import { api, useQuery, type Page } from '@clinic/app-kit';
import type { CallQuery } from '@clinic/contracts';

/** Cards shown before 'Show more': rendering thousands at once would freeze a phone. */
const limit = 24;

interface DoctorPage {
  /** Absent until loaded. */
  readonly page: Page<'listDoctors'> | undefined;
  /** The page of the previous filter, while the new one loads. */
  readonly outdated: boolean;
  readonly failed: boolean;
  readonly retry: () => void;
}

/**
 * One page of the directory.
 *
 * @param cursor - empty: the first page
 * @param today - free times of an earlier day are no use to anyone
 */
export function useDoctorPage(query: CallQuery<'listDoctors'>, cursor: string, today: string): DoctorPage {
  const request = { ...query, limit, ...(cursor && { cursor }) };
  const { data, isError, isPlaceholderData, refetch } = useQuery<Page<'listDoctors'>>({
    queryKey: ['listDoctors', { query: request, today }],
    queryFn: ({ signal }) => api.page('listDoctors', { query: request, signal }),
    placeholderData: (before) => before,
  });
  return {
    page: data,
    outdated: isPlaceholderData,
    failed: isError && data === undefined,
    retry: () => void refetch(),
  };
}
