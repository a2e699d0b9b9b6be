/** Makes a reason that is written to follow a colon a sentence of its own. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
