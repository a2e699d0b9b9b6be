import { Alert, Button } from '@clinic/ui';
import { useState } from 'react';

interface QuietPanelProps {
  readonly title: string;
  readonly text: string;
  /** Retries; the button is busy while that is pending. It handles its own failure by showing this panel again. */
  readonly onRetry: () => Promise<unknown> | void;
}

/** Replaces a part that can't be shown, without alarm, since everything around it still works. */
export function QuietPanel({ title, text, onRetry }: QuietPanelProps) {
  const [busy, setBusy] = useState(false);

  async function retry(): Promise<void> {
    setBusy(true);
    try {
      await onRetry();
    } catch (error) {
      console.warn(title, error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <section aria-label={title}>
      <Alert
        title={title}
        actions={
          <Button size="sm" variant="secondary" icon="refresh" busy={busy} onClick={() => void retry()}>
            Retry
          </Button>
        }
      >
        {text}
      </Alert>
    </section>
  );
}
