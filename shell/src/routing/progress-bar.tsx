import { useEffect, useState } from 'react';
import { useNavigationState } from './navigation-context.ts';

/** Milliseconds a change of page may take before a progress bar appears. */
const patienceMs = 200;

/** A line at the top while the next page loads. */
export function ProgressBar() {
  const busy = useNavigationState().loading;
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [busy]);
  if (!busy || !late) return null;
  return (
    <output className="fixed inset-x-0 top-0 z-50 h-0.5 animate-pulse bg-primary">
      <span className="sr-only">Loading...</span>
    </output>
  );
}
