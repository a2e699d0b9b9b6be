/** A person to erase. */
export interface ForgottenPerson {
  /** Lower case. */
  readonly email: string;
  /** The account. Kept, as a pseudonym that can't be traced to anybody. */
  readonly userId: string;
  /** If false, only erase what belongs to the account: the rest under the address may be somebody else's. */
  readonly emailConfirmed: boolean;
}
