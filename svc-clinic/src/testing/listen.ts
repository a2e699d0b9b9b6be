import assert from 'node:assert/strict';
import type { TestClinic, Who } from './test-clinic.ts';

/**
 * Opens the stream of changes as a page does.
 *
 * @param signal - closes it
 * @returns a function that reads on until the new text matches, and returns that text
 */
export async function listenForChanges(
  { as }: Pick<TestClinic, 'as'>,
  who: Who,
  signal: AbortSignal,
): Promise<(pattern: RegExp) => Promise<string>> {
  const answer = await as(who)('/appoinments/changes', { signal });
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  return async (pattern) => {
    let received = '';
    while (!pattern.test(received)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended after ${received}`);
      received += value;
    }
    return received;
  };
}
