import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SharedAnswer, SharedAnswers } from './shared-answer.ts';

/** A value that changes, and reads of it that the test completes. */
function askable() {
  const reads: { readonly end: (error?: Error) => void }[] = [];
  let value = 0;
  const shared = new SharedAnswer<number>(() => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const read = value;
    reads.push({ end: (error) => (error ? reject(error) : resolve(read)) });
    return promise;
  });
  return { shared, reads, change: () => (value += 1) };
}

it('gives all callers during a run the result of the next one, which sees what happened before they called', async () => {
  const { shared, reads, change } = askable();
  const first = shared.ask();
  change();
  const others = [shared.ask(), shared.ask()];
  change();
  const last = shared.ask();
  assert.equal(reads.length, 1);
  reads[0]?.end();
  assert.equal(await first, 0);
  await Promise.resolve();
  reads[1]?.end();
  assert.deepEqual(await Promise.all([...others, last]), [2, 2, 2]);
  assert.equal(reads.length, 2);
});

it('runs again if nobody waits', async () => {
  const { shared, reads, change } = askable();
  for (const expected of [0, 1]) {
    const answer = shared.ask();
    reads.at(-1)?.end();
    assert.equal(await answer, expected);
    change();
  }
  assert.equal(reads.length, 2);
});

it('fails for its own callers, but not for later ones', async () => {
  const { shared, reads } = askable();
  const failing = shared.ask();
  const later = shared.ask();
  reads[0]?.end(new Error('gone'));
  await assert.rejects(failing, /gone/);
  await Promise.resolve();
  reads[1]?.end();
  assert.equal(await later, 0);
});

it('shares results between equal questions only, and forgets them', async () => {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const shared = new SharedAnswers<{ readonly q: string }, number>(({ q }) => {
    asked.push(q);
    const nth = asked.length;
    return new Promise((resolve) => ends.push(() => resolve(nth)));
  });
  const answers = [shared.ask({ q: 'a' }), shared.ask({ q: 'b' }), shared.ask({ q: 'a' }), shared.ask({ q: 'a' })];
  assert.deepEqual(asked, ['a', 'b']);
  for (const end of ends) end();
  assert.deepEqual(await Promise.all(answers.slice(0, 2)), [1, 2]);
  assert.deepEqual(asked, ['a', 'b', 'a']);
  ends.at(-1)?.();
  assert.deepEqual(await Promise.all(answers.slice(2)), [3, 3]);
  const again = shared.ask({ q: 'a' });
  ends.at(-1)?.();
  assert.equal(await again, 4);
});
