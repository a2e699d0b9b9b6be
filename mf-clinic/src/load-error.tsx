import { ErrorState } from '@clinic/ui';
import type { ReactNode } from 'react';

interface LoadErrorProps {
  readonly title: string;
  /** What was to be loaded; as of `useCall`. */
  readonly answer: {
    readonly data?: unknown;
    readonly error: { readonly message: string } | null;
    readonly refetch: () => unknown;
  };
  /** Another way on. */
  readonly action?: ReactNode;
}

/** Why something couldn't be loaded, with another attempt; nothing while there is something to show. */
export function LoadError({ title, answer: { data, error, refetch }, action }: LoadErrorProps) {
  return error && !data ? (
    <ErrorState title={title} text={error.message} onRetry={() => void refetch()} action={action} />
  ) : null;
}
