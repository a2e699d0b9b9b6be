import { cpus } from 'node:os';

/** @returns asks for the share of the processors' time since the last question, 0 to 1, in which they had nothing to do */
export function idleShare(read = cpus): () => number {
  const now = () => {
    const all = read().map(({ times }) => times);
    const sum = (of: (times: (typeof all)[number]) => number): number => all.reduce((total, one) => total + of(one), 0);
    return {
      idle: sum(({ idle }) => idle),
      total: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
    };
  };
  let last = now();
  return () => {
    const next = now();
    const [idle, total] = [next.idle - last.idle, next.total - last.total];
    last = next;
    // Without a tick of the clock nothing is known.
    return total > 0 ? idle / total : 0;
  };
}
