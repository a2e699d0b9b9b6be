/**
 * A person's calendar subscription: anybody with the secret address can read the person's appointments, and nothing
 * else.
 */
export interface CalendarFeedRecord {
  /** The account; one subscription each. */
  readonly _id: string;
  /** The account's address when it was made, lower case: admins find a person's data by it. */
  readonly email: string;
  /**
   * SHA-256 of the secret in the address, base64url. The secret itself isn't stored, so the database doesn't reveal the
   * address.
   */
  readonly secretHash: string;
  /** When this address was made. */
  readonly createdAt: Date;
  /** Reads since a time, for the rate limit. */
  readonly reads: { readonly since: Date; readonly count: number };
}
