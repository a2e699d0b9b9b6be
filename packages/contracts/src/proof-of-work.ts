/** The header in which a client sends a solved challenge: salt and number, see {@link proofText}. */
export const proofHeader = 'proof-of-work';

/** What a client has to work out to be let in; it comes with a `rate_limited` problem. */
export interface ProofChallenge {
  /** Random; good for one call. */
  readonly salt: string;
  /** Leading zero bits that the SHA-256 of {@link proofText} must have: about 2^bits tries. */
  readonly bits: number;
  /** Seconds until the solution is taken. */
  readonly waitSeconds: number;
}

/** The text whose SHA-256 is looked at, which is also the header's value. */
export function proofText(salt: string, number: number): string {
  return `${salt}.${number}`;
}

/** @param digest - the SHA-256 of a proof's text */
export function leadingZeroBits(digest: Uint8Array): number {
  const first = digest.findIndex((byte) => byte !== 0);
  return first === -1 ? digest.length * 8 : first * 8 + Math.clz32(digest[first] ?? 0) - 24;
}
