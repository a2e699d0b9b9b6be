import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Measurements } from '../../../stand-ins/mongo-embedded/bench/bench.ts';
import { temporaryFolder, type Area } from '../support/area.ts';
import { atMost, type Row } from '../support/results.ts';

const program = path.join(import.meta.dirname, '..', '..', '..', 'stand-ins', 'mongo-embedded', 'bench', 'bench.ts');

/** Latency with the most documents, relative to that with the fewest. */
const flat = 1.2;

export const database: Area = {
  name: 'database',
  title: 'The embedded database',
  within: 240,
  async run({ effort, after }) {
    const [fewest, most] = effort < 1 ? [1_000, 10_000] : [1_000, 100_000];
    const args = [program, temporaryFolder({ after }, 'database'), Math.max(0.2, effort), fewest, most].map(String);
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { figures, fdatasync } = JSON.parse(stdout) as Measurements;
    const rows = figures
      .filter(({ size }) => size === most)
      .map(({ name, one, sixteen, raw, p50 }): Row => {
        const before = figures.find((other) => other.name === name && other.size === fewest);
        const reads = name === 'find by _id' || name === 'find by index' || name === 'sorted page';
        return {
          what: `${name}, one client (sixteen: ${Math.round(sixteen).toLocaleString('en')}/s)`,
          ours: { value: one, unit: '/s' },
          peer: { value: raw, unit: '/s' },
          note: `${p50.toFixed(2)} ms, with ${fewest.toLocaleString('en')} documents ${before?.p50.toFixed(2)} ms`,
          // Writes wait for the disk, whatever the amount of data.
          ...(reads &&
            before && {
              judged: atMost(p50 / before.p50, flat),
              chart: name === 'sorted page' ? 'sorted page, latency with 100 × documents' : undefined,
            }),
        };
      });
    return {
      how: `Through the driver with ${most.toLocaleString('en')} documents; the peer is the same in node:sqlite inside one process, without a server and a protocol. The ratio is the latency relative to that with ${fewest.toLocaleString('en')} documents. The disk confirms ${Math.round(fdatasync).toLocaleString('en')} appends/s.`,
      peerName: 'raw node:sqlite',
      rows,
    };
  },
};
