import { createHash, hash } from 'node:crypto';
import type { Content } from './manifest.ts';

const WIDTH = 64;
const MODULUS = 1n << 256n;

/** Accumulates counts and digests of a collection's documents. */
export class ContentDigest {
  readonly #inOrder = createHash('sha256');
  #count = 0;
  #bytes = 0;
  #sum = 0n;

  add(document: Uint8Array): void {
    this.#inOrder.update(document);
    this.#count += 1;
    this.#bytes += document.length;
    this.#sum += BigInt(`0x${hash('sha256', document, 'hex')}`);
  }

  get count(): number {
    return this.#count;
  }

  /** Call this once, after the last document. */
  content(): Content {
    return {
      count: this.#count,
      bytes: this.#bytes,
      sha256: this.#inOrder.digest('hex'),
      sum: (this.#sum % MODULUS).toString(16).padStart(WIDTH, '0'),
    };
  }
}
