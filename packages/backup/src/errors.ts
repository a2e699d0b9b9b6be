/** An error that the operator has to know about or fix; shown as its message only, without a stack. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
