// A node:test reporter that writes one line of JSON per test file.
interface Summary {
  readonly type: string;
  readonly data: {
    readonly file?: string;
    readonly success?: boolean;
    readonly counts?: {
      readonly passed: number;
      readonly skipped: number;
      readonly todo: number;
      readonly tests: number;
    };
  };
}

export default async function* filesReporter(events: AsyncIterable<Summary>): AsyncGenerator<string> {
  for await (const {
    type,
    data: { file, success, counts },
  } of events) {
    if (type !== 'test:summary' || file === undefined || !counts) continue;
    const { passed, skipped, todo, tests } = counts;
    const failed = tests - passed - skipped - todo;
    yield `${JSON.stringify({ file, passed, failed: success ? failed : Math.max(1, failed), skipped: skipped + todo })}\n`;
  }
}
