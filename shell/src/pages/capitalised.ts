/** Turns a reason written to follow a colon into a sentence of its own. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
