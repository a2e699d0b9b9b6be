/** The header in which a client sends a solved challenge: salt and number, see {@link proofText}. */
export const proofHeader = 'proof-of-work';

/** A challenge that a client solves before it retries; sent with a `rate_limited` problem. */
export interface ProofChallenge {
  /** Random; valid for one call. */
  readonly salt: string;
  /** Leading zero bits that the SHA-256 of {@link proofText} needs: about 2^bits tries. */
  readonly bits: number;
  /** Seconds until the solution is accepted. */
  readonly waitSeconds: number;
}

/** The text that is hashed with SHA-256; also the header's value. */
export function proofText(salt: string, number: number): string {
  return `${salt}.${number}`;
}

/** @param digest - the SHA-256 of a proof's text */
export function leadingZeroBits(digest: Uint8Array): number {
  const first = digest.findIndex((byte) => byte !== 0);
  return first === -1 ? digest.length * 8 : first * 8 + Math.clz32(digest[first] ?? 0) - 24;
}
