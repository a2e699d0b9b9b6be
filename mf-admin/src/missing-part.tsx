import { Alert, Button } from '@clinic/ui';
import type { ReactNode } from 'react';

interface MissingPartProps {
  readonly title: string;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/** Names what is missing from a list because its service doesn't answer. */
export const MissingPart = ({ title, onRetry, children }: MissingPartProps) => (
  <Alert
    kind="warning"
    title={title}
    actions={
      <Button size="sm" variant="secondary" icon="refresh" onClick={onRetry}>
        Retry
      </Button>
    }
  >
    {children}
  </Alert>
);
