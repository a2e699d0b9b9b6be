import { addCalls } from '@clinic/app-kit';
import { attendanceCalls } from '@clinic/svc-clinic/contract/attendance-calls';

// The table of all pages doesn’t have them.
addCalls(attendanceCalls);

/** The day’s own list, which the live line names when it changes. */
export const dayLists = ['getDay'] as const;
