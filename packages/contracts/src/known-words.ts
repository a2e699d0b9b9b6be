/**
 * The label of a word from an answer. Readers tolerate: a service of a newer release may send a status, role, kind or unit that
 * this build doesn't know, which is then shown as it is.
 *
 * @param labels - by the words that this build knows
 */
export function knownLabel(labels: Readonly<Record<string, string>>, word: string): string {
  return (Object.hasOwn(labels, word) ? labels[word] : undefined) ?? word;
}
