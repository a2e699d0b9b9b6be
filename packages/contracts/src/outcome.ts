interface Failure {
  /** HTTP status; 503 also if no response came. */
  readonly status: number;
}

/** Whether nobody knows if a change was made: its response was lost, or the server failed after it began. */
export const isUnknown = ({ status }: Failure): boolean => status >= 500;

/** Title of a failed change. @param rejected - if the server rejected it, so that nothing has changed */
export const failureTitle = (failure: Failure, rejected: string): string =>
  isUnknown(failure) ? 'We couldn’t confirm it' : rejected;
