import type { ApiProblem } from '@clinic/app-kit';
import { failureTitle } from '@clinic/contracts/outcome';
import { Alert } from '@clinic/ui';

/** Why a change was rejected: what is wrong with its fields, or the problem's own message. */
export function reasonsOf({ problem, message }: ApiProblem): string {
  return problem.errors?.map((error) => error.message).join('. ') || message;
}

interface RejectionProps {
  readonly error: ApiProblem | null | undefined;
  /** For a change that was rejected; default: the problem's own. */
  readonly title?: string;
}

/** Shows why a change was rejected; nothing without an error. */
export function Rejection({ error, title }: RejectionProps) {
  return (
    error && (
      <Alert kind="error" title={title === undefined ? error.problem.title : failureTitle(error, title)}>
        {reasonsOf(error)}
      </Alert>
    )
  );
}
