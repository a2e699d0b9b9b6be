import { useChange } from '@clinic/app-kit/records';
import { useCallback } from 'react';
import type { Webhook } from '../calls.ts';

/** Pauses or resumes a webhook, with Undo. */
export function usePause(): (webhook: Webhook) => void {
  const { mutate } = useChange('changeWebhook', {
    invalidates: ['listWebhooks'],
    success: ({ enabled }) => (enabled ? 'The webhook is sent events again' : 'The webhook is paused'),
    undo: ({ _id, enabled }) => ({
      call: 'changeWebhook',
      input: { params: { id: _id }, body: { enabled: !enabled } },
      done: 'The webhook is as it was',
    }),
  });
  return useCallback(({ _id, enabled }) => mutate({ params: { id: _id }, body: { enabled: !enabled } }), [mutate]);
}
