/** Bytes under construction, in a buffer that grows and is used again: one for each purpose, for one value at a time. */
export class Scratch {
  bytes: Buffer;
  /** Where the next byte goes. */
  at = 0;

  constructor(length: number) {
    this.bytes = Buffer.allocUnsafe(length);
  }

  /** Makes room for so many bytes. */
  reserve(length: number): void {
    if (this.at + length <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + length));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }

  writeByte(byte: number): void {
    this.reserve(1);
    this.bytes[this.at++] = byte;
  }

  /** What `write` writes from the beginning, owned by the caller. */
  filledBy(write: () => void): Buffer {
    this.at = 0;
    write();
    return Buffer.from(this.bytes.subarray(0, this.at));
  }
}
