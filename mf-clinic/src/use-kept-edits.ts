import { useDraft } from '@clinic/app-kit';
import { useCallback, useEffect, useRef } from 'react';

/** Keeps unsaved edits across the reload for a new version. */
export function useKeptEdits(key: string, edits: unknown): void {
  const latest = useRef(edits);
  useEffect(() => {
    latest.current = edits;
  }, [edits]);
  useDraft(
    key,
    useCallback(() => latest.current, []),
    'forget',
  );
}
