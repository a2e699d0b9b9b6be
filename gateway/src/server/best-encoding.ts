import type { Request } from 'express';

/** Smallest first; the order in which a browser lists them has nothing to do with size. */
const encodings = ['br', 'gzip', 'identity'] as const;

/** The smallest encoding that a client takes; `undefined` if it takes none that we have. */
export function bestEncoding(req: Request): (typeof encodings)[number] | undefined {
  return encodings.find((encoding) => req.acceptsEncodings(encoding));
}
