import { Alert, Button, CardSkeleton, StatCard, type IconName } from '@clinic/ui';
import { useId, type ReactNode } from 'react';

export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly icon?: IconName;
}

/** The few figures that matter most, side by side. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return <div className="ui-figures">{figures.map((figure) => <StatCard key={figure.label} {...figure} />)}</div>;
}

export interface FiguresSectionProps {
  /** What the figures are about. */
  readonly title: string;
  /** Why there are none; the figures of others are not touched by that. */
  readonly error?: string;
  readonly onRetry: () => void;
  /** Another try is under way. */
  readonly retrying?: boolean;
  /** Other figures are on their way; these stay until then. */
  readonly refreshing?: boolean;
  /** Absent while they are loaded for the first time. */
  readonly children?: ReactNode;
}

/** One domain's figures on a page of several, with its states: each keeps its own troubles to itself. */
export function FiguresSection({ title, error, onRetry, retrying = false, refreshing = false, children }: FiguresSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} aria-busy={refreshing || (!children && error === undefined)} className="ui-figures-section">
      <h2 id={id} className="ui-figures-title">{title}</h2>
      {error !== undefined && (
        <Alert title={`${title} can’t be shown right now`} actions={<Button size="sm" variant="secondary" icon="refresh" busy={retrying} onClick={onRetry}>Retry</Button>}>{error}</Alert>
      )}
      {error === undefined && (children ?? (
        <>
          <output className="sr-only">Loading...</output>
          <CardSkeleton />
          <div className="ui-charts"><CardSkeleton /><CardSkeleton /></div>
        </>
      ))}
    </section>
  );
}
