// Shared like index.ts, but only loaded by pages with lists, or that change something.
export { useMutation } from '@tanstack/react-query';
export { useChange, type UseChangeOptions } from './use-change.ts';
export { useListState, type ListState } from './use-list-state.ts';
export { useLiveLists, type ChangeStreamId } from './use-live-lists.ts';
export { usePagedCall, type PagedCall, type PagedCallOptions } from './use-paged-call.ts';
