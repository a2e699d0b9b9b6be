import { Alert, Button, CardSkeleton, StatCard, type IconName } from '@clinic/ui';
import { useEffect, useId, useRef, type ReactNode } from 'react';

export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly icon?: IconName;
}

/**
 * A figure with this many characters spans two columns on a phone and takes its icon's place elsewhere: '৳12,345.60'.
 */
const long = 10;

/** The most important figures, side by side. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <div className="ui-figures">
      {figures.map((figure) => (
        <div key={figure.label} data-long={figure.value.length >= long || undefined}>
          <StatCard {...figure} />
        </div>
      ))}
    </div>
  );
}

export interface FiguresSectionProps {
  /** What the figures are about. */
  readonly title: string;
  /** Error that prevents the figures; other sections are unaffected. */
  readonly error?: string;
  readonly onRetry: () => void;
  /** New figures are loading; these stay until then. */
  readonly refreshing?: boolean;
  /** Absent during the first load. */
  readonly children?: ReactNode;
}

/** One domain's figures on a page of several, with their own loading and error states. */
export function FiguresSection({ title, error, onRetry, refreshing = false, children }: FiguresSectionProps) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const failed = useRef(false);
  useEffect(() => {
    // The retry button is gone: without this, keyboard users would start over at the top of the page.
    if (failed.current && error === undefined && document.activeElement === document.body)
      section.current?.focus({ preventScroll: true });
    failed.current = error !== undefined;
  }, [error]);
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={id}
      aria-busy={refreshing || (!children && error === undefined)}
      className="ui-figures-section"
    >
      <h2 id={id} className="ui-figures-title">
        {title}
      </h2>
      {error !== undefined && (
        <Alert
          title={`${title} can’t be shown right now`}
          actions={
            <Button size="sm" variant="secondary" icon="refresh" onClick={onRetry}>
              Retry
            </Button>
          }
        >
          {error}
        </Alert>
      )}
      {error === undefined &&
        (children ?? (
          <>
            <output className="sr-only">Loading...</output>
            <CardSkeleton />
            <div className="ui-charts">
              <CardSkeleton />
              <CardSkeleton />
            </div>
          </>
        ))}
    </section>
  );
}
