import { Alert, Button } from '@clinic/ui';
import { useState } from 'react';

interface QuietPanelProps {
  readonly title: string;
  readonly text: string;
  /** Tries again; while that is pending the button is busy. A failure is its own business: it shows here again. */
  readonly onRetry: () => Promise<unknown> | void;
}

/** In the place of a part that can't be shown: it says so without alarm, as everything around it goes on. */
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
      <Alert title={title} actions={<Button size="sm" variant="secondary" icon="refresh" busy={busy} onClick={() => void retry()}>Retry</Button>}>{text}</Alert>
    </section>
  );
}
