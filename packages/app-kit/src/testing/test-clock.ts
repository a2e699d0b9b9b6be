/** Sets the date only; timers run as usual, so the page continues to load. @param instant - e.g. '2026-11-30T17:59:50Z' */
export function pretendItIs(instant: string): void {
  jest.useFakeTimers({
    now: new Date(instant),
    doNotFake: [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'setImmediate',
      'clearImmediate',
      'queueMicrotask',
      'nextTick',
      'performance',
      'hrtime',
      'requestAnimationFrame',
      'cancelAnimationFrame',
      'requestIdleCallback',
      'cancelIdleCallback',
    ],
  });
}
