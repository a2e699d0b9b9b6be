import { useCall } from '@clinic/app-kit';
import { useDeferredValue } from 'react';
import { useSettled } from '../use-settled.ts';
import { fromDraft, incomplete, type ScheduleDraft } from './draft.ts';

/** Unsaved changes of a schedule. */
export interface Edits {
  /** The version that the edits started from. */
  readonly version: string;
  readonly base: ScheduleDraft;
  readonly draft: ScheduleDraft;
}

/** Only what was edited is sent, so that what somebody else saves meanwhile stays. */
export function changedParts({ base, draft }: Pick<Edits, 'base' | 'draft'>) {
  const before = { takesAppointments: base.takesAppointments, ...fromDraft(base) };
  const after = { takesAppointments: draft.takesAppointments, ...fromDraft(draft) };
  const parts = (Object.keys(after) as (keyof typeof after)[]).filter(
    (part) => JSON.stringify(after[part]) !== JSON.stringify(before[part]),
  );
  // An edit that was taken back.
  return parts.length === 0
    ? { takesAppointments: draft.takesAppointments }
    : (Object.fromEntries(parts.map((part) => [part, after[part]])) as Partial<typeof after>);
}

/** What patients would be offered; follows the edits a moment later. */
export function usePreview(id: string, draft: ScheduleDraft, from: string) {
  const settled = useSettled(useDeferredValue(draft));
  return useCall(
    'previewSchedule',
    { params: { id }, body: { ...fromDraft(settled), from } },
    { keepPrevious: true, staleTime: 0, enabled: incomplete(settled).length === 0 },
  );
}
