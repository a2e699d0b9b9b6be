// Shared like index.ts, but only loaded by pages with lists, or that change something.
export { useMutation } from '@tanstack/react-query';
export { useChange, type Undo, type UseChangeOptions } from './api/use-change.ts';
export { useCloseQuestion, type CloseQuestion } from './host/use-close-question.ts';
export { useLeaveQuestion, type LeaveQuestion } from './host/use-leave-question.ts';
export { useListState, type ListState } from './lists/use-list-state.ts';
export { useLiveLists, type ChangeStreamId } from './lists/use-live-lists.ts';
export { usePagedCall, type PagedCall, type PagedCallOptions } from './lists/use-paged-call.ts';
