import { loadavg } from 'node:os';
import type { Area } from './area.ts';
import type { AreaResult } from './results.ts';

/** Runs an area and cleans up after it, however it ends. @throws Error on timeout */
export async function runArea(area: Area, effort: number): Promise<AreaResult> {
  const undo: (() => unknown)[] = [];
  const began = performance.now();
  const load = loadavg()[0] ?? 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished within ${area.within} s`)), area.within * 1000);
  });
  try {
    const found = await Promise.race([
      area.run({ effort, say: (text) => console.log(`  ${text}`), after: (step) => undo.unshift(step) }),
      late,
    ]);
    return {
      name: area.name,
      title: area.title,
      seconds: Math.round((performance.now() - began) / 1000),
      measuredAt: new Date().toISOString(),
      load: Math.round(load * 10) / 10,
      remarks: [],
      ...found,
    };
  } finally {
    clearTimeout(timer);
    for (const step of undo) await step();
  }
}
