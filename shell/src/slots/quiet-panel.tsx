import { Button, EmptyState } from '@clinic/ui';
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
    <section className="ui-card" aria-label={title}>
      <EmptyState icon="info" title={title} text={text} action={<Button variant="secondary" icon="refresh" busy={busy} onClick={() => void retry()}>Retry</Button>} />
    </section>
  );
}
