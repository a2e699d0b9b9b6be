/** A call by a visitor, as opposed to the emulator's administrator. */
export interface VisitorCall {
  /** The last part of the operation's name, e.g. `signUp`. */
  readonly operation: string;
  readonly body: unknown;
}

/** Decision about a call before it runs. */
export type Ruling =
  /** Error message in Firebase's format: `CODE : what is wrong`. */
  | { readonly rejected: string }
  /** Called after the operation has succeeded. */
  | { readonly succeeded: (() => void) | undefined };
