/** What begins and what ends something that a page must not be taken away from: a press, a key, a text being composed. */
const begins = ['pointerdown', 'keydown', 'compositionstart'];
const ends = ['pointerup', 'pointercancel', 'click', 'keyup', 'compositionend', 'blur'];

/** Milliseconds from a finger's release until its click has certainly come. */
const clickMs = 100;

let underWay: Event | undefined;
let waiting: (() => void)[] = [];

/** Starts to follow what people do. */
export function followActions(): void {
  for (const type of begins) addEventListener(type, (event) => (underWay = event), { capture: true, passive: true });
  for (const type of ends) addEventListener(type, end, { capture: true, passive: true });
}

function end({ type, target }: Event): void {
  // Elements lose the focus in the middle of a press, the window only to another one.
  if (type === 'blur' && target !== window) return;
  if (type === 'keyup' && underWay?.type === 'compositionstart') return;
  const ended = underWay;
  setTimeout(
    () => {
      if (underWay !== ended) return;
      underWay = undefined;
      const ready = waiting;
      waiting = [];
      for (const one of ready) one();
    },
    type === 'pointerup' ? clickMs : 0,
  );
}

/** Waits until nobody is in the middle of a press, a key or a composed text, whose end would miss its element. */
export function untilAtRest(): Promise<void> {
  return new Promise((resolve) => {
    if (underWay) waiting.push(resolve);
    else resolve();
  });
}
